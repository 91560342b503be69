import { ancChecks } from './checks/anc/checks.ts';
import { bodyChecks } from './checks/body.ts';
import { bulkChecks } from './checks/bulk.ts';
import { bulkItemChecks } from './checks/bulk-items.ts';
import { gapChecks } from './checks/gaps.ts';
import { headerChecks } from './checks/headers.ts';
import { listChecks } from './checks/list/checks.ts';
import { namedChecks } from './checks/named.ts';
import { negativeChecks } from './checks/negative.ts';
import { acknowledgedChecks, operationChecks, steadyCheck } from './checks/operations.ts';
import { pairChecks } from './checks/pairs.ts';
import { pathChecks } from './checks/paths.ts';
import { recordChecks } from './checks/record/checks.ts';
import { lastChecks, schemaChecks } from './checks/schema.ts';
import { versionChecks } from './checks/version.ts';
import { viewChecks } from './checks/view.ts';
import { xmlChecks } from './checks/xml.ts';
import type { Check } from './kit/check.ts';

/** Every check, in the order they run within a family. Ids are permanent. */
export const checks: readonly Check[] = [
  ...[operationChecks, versionChecks, recordChecks, namedChecks, viewChecks, bodyChecks, xmlChecks, ancChecks],
  // Behind the checks of endpoints: they look at those that are made for lists, and a policy may take so many and no more.
  ...[headerChecks, pathChecks, negativeChecks, bulkChecks, bulkItemChecks, schemaChecks, listChecks, pairChecks],
  ...[gapChecks, lastChecks, acknowledgedChecks, [steadyCheck]],
].flat();

export const CHECK_IDS: readonly string[] = checks.map(({ id }) => id);

const HISTORY = ['survey/pages', 'survey/reads', 'survey/create', 'survey/update', 'survey/delete'];
const JOINS = ['filter/default-and', 'filter/or', 'survey/joins'];

/** Ids that are no longer used, with those of the checks that see what they saw: baselines of before name them. */
export const RETIRED_CHECKS: Readonly<Record<string, readonly string[]>> = {
  'windows/agree': [...HISTORY, 'survey/filters'],
  'record/history': HISTORY,
  'survey/operations': ['version/served'],
  'filter/excluding': JOINS,
  'filter/many-criteria': JOINS,
  'filter/repeated': JOINS,
  'filter/disguised-value': ['survey/filters'],
  'filter/dotted-beginning': ['survey/filters'],
  'filter/dotted-value': ['survey/filters'],
  'filter/encoded-value': ['survey/filters'],
  'filter/literal-value': ['survey/filters'],
  'filter/long-operand': ['survey/filters'],
  'filter/number-operands': ['filter/operator', 'survey/filters'],
  'paging/full-pages': ['paging/size', 'survey/pages'],
  'paging/next-where-more': ['paging/next', 'survey/pages'],
  'view/keeps-listed': ['view/read-only'],
  'operation/bulk': ['bulk/submit', 'bulk/monitor'],
  'operation/read': ['list/served', 'record/read-listed', 'node/by-name', 'version/served'],
  'record/field-names': ['record/create-fields', 'record/boolean'],
  'number/bounds-by-update': ['record/boolean', 'survey/update'],
  'anc/operation': ['operation/anc', 'anc/apply', 'anc/clear'],
  'anc/counts': ['anc/apply', 'anc/clear', 'survey/anc'],
  'anc/mac-form': ['schema/every-answer'],
  'anc/members': ['schema/required-members'],
  'filter/bad-query-status': ['negative/client-error'],
  'paging/past-the-end': ['gap/page-and-size'],
  'sort/pages': ['paging/next-keeps-sort', 'survey/sorts'],
  'sort/whole-list': ['paging/next-keeps-sort', 'survey/sorts'],
};
