import type { Check } from '../../kit/check.ts';
import { filterChecks } from './filters.ts';
import { longList, nextChecks, pageChecks } from './pages.ts';
import { otherWays, relationChecks, sortField } from './relations.ts';
import { badQueries, shapeChecks } from './shape-checks.ts';

/** Checks of lists: envelope, pages, filters, sorts. Ordered so that what others depend on comes first. */
export const listChecks: readonly Check[] = [
  ...[...shapeChecks, ...pageChecks, ...filterChecks, sortField],
  ...[...relationChecks, ...nextChecks, longList],
  ...[...otherWays, badQueries],
];
