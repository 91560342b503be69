import type { Check } from '../../kit/check.ts';
import { exclusionChecks } from './filter/exclusion-checks.ts';
import { joinChecks } from './filter/join-checks.ts';
import { manyCriteriaChecks } from './filter/many-criteria.ts';
import { numberOperandChecks } from './filter/number-operands.ts';
import { filterChecks } from './filter/operator-checks.ts';
import { refusalChecks } from './filter/refusal-checks.ts';
import { relationChecks } from './filter/relation-checks.ts';
import { signChecks } from './filter/sign-checks.ts';
import { valueChecks } from './filter/value-checks.ts';
import { linkChecks } from './paging/link-checks.ts';
import { nextChecks } from './paging/next-checks.ts';
import { pagingChecks } from './paging/paging-checks.ts';
import { parameterChecks } from './parameter-checks.ts';
import { shapeChecks } from './shape-checks.ts';
import { sortChecks } from './sort/sort-checks.ts';
import { sortRelationChecks } from './sort/sort-relation-checks.ts';

/** Checks of lists: envelope, paging, filters, sort. Ordered so that what others depend on comes first. */
export const listChecks: readonly Check[] = [
  ...shapeChecks,
  ...parameterChecks,
  ...pagingChecks,
  ...linkChecks,
  ...joinChecks,
  ...exclusionChecks,
  ...manyCriteriaChecks,
  ...filterChecks,
  ...numberOperandChecks,
  ...relationChecks,
  ...valueChecks,
  ...signChecks,
  ...sortChecks,
  ...sortRelationChecks,
  ...nextChecks,
  ...refusalChecks,
];
