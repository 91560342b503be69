import type { Check } from '../../kit/check.ts';
import { badQueryChecks } from './bad-queries.ts';
import { filterChecks } from './filters.ts';
import { longList, turnedLists, xmlLists } from './list-ways.ts';
import { longOperands } from './long-operands.ts';
import { nextChecks, pageChecks } from './pages.ts';
import { relationChecks, sortedPages } from './relations.ts';
import { shapeChecks } from './shape-checks.ts';
import { sortChecks } from './sorts.ts';

/** Checks of lists: envelope, pages, filters, sorts. Ordered so that what others depend on comes first. */
export const listChecks: readonly Check[] = [
  ...shapeChecks,
  ...pageChecks,
  ...filterChecks,
  ...sortChecks,
  ...relationChecks,
  ...nextChecks,
  sortedPages,
  longList,
  xmlLists,
  turnedLists,
  longOperands,
  ...badQueryChecks,
];
