import type { Check } from '../check.ts';
import { exclusionChecks } from './exclusion-checks.ts';
import { filterChecks } from './filter-checks.ts';
import { joinChecks } from './join-checks.ts';
import { linkChecks } from './link-checks.ts';
import { nextChecks } from './next-checks.ts';
import { pagingChecks } from './paging-checks.ts';
import { refusalChecks } from './refusal-checks.ts';
import { relationChecks } from './relation-checks.ts';
import { shapeChecks } from './shape-checks.ts';
import { signChecks } from './sign-checks.ts';
import { sortChecks } from './sort-checks.ts';
import { sortRelationChecks } from './sort-relation-checks.ts';
import { valueChecks } from './value-checks.ts';

/** Checks of lists: envelope, paging, filters, sort. Ordered so that what others depend on comes first. */
export const listChecks: readonly Check[] = [
  ...shapeChecks,
  ...pagingChecks,
  ...linkChecks,
  ...joinChecks,
  ...exclusionChecks,
  ...filterChecks,
  ...relationChecks,
  ...valueChecks,
  ...signChecks,
  ...sortChecks,
  ...sortRelationChecks,
  ...nextChecks,
  ...refusalChecks,
];
