import { opRequirementId } from '../../../lib/contract/requirements.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import type { Check, CheckContext } from '../../kit/check.ts';
import { CheckFailure } from '../../kit/fault.ts';
import { isCreatable } from '../../kit/fields.ts';
import { tooLittle } from '../../kit/too-little.ts';
import { RECORDS_HOLD } from '../records-hold.ts';
import { surveyOf } from './survey.ts';
import { LEAST_POOL } from './world/endpoints.ts';
import type { Topic } from './world/findings.ts';

interface Row {
  readonly id: Check['id'];
  readonly topic: Topic;
  readonly title: string;
  readonly requirement: string;
  readonly applies: Check['appliesTo'];
  readonly dependsOn: readonly Check['id'][];
  readonly needs?: Check['needs'];
}

/** What lists have to do for a survey to tell anything by them. */
const LISTS_HOLD: readonly Check['id'][] = [
  'list/envelope',
  'list/complete',
  'record/read-listed',
  // What requests of the survey carry besides; they leave out no header.
  'headers/optional-on-reads|.ersMediaType',
  'query/extra-on-reads',
  'paging/size',
  'paging/next',
  'paging/full-pages',
  'paging/next-has-records',
  'paging/next-where-more',
];
/** What writes have to do before their effect after other writes can be blamed on that. */
const WRITES_HOLD: readonly Check['id'][] = [
  ...RECORDS_HOLD,
  'record/text',
  'headers/optional-on-writes|.ersMediaType',
  'query/extra-on-create',
];

const lists: Check['appliesTo'] = (family) => hasOp(family, 'list');

const ROWS: readonly Row[] = [
  {
    id: 'survey/filters',
    topic: 'filters',
    title: 'filters after each kind of write, repeated, and beside other parameters',
    requirement: 'LST-FILT',
    applies: (family, table) => lists(family, table) && family.filters.length > 0,
    dependsOn: LISTS_HOLD,
  },
  {
    id: 'survey/joins',
    topic: 'joins',
    title: 'several filters joined by AND or OR, after each kind of write and on every page',
    requirement: 'LST-FTYPE',
    applies: (family, table) => lists(family, table) && family.filters.length > 0,
    dependsOn: [...LISTS_HOLD, 'filter/operator', 'filter/default-and', 'filter/or'],
  },
  {
    id: 'survey/sorts',
    topic: 'sorts',
    title: 'sorted lists after each kind of write, on every page, beside filters and other parameters',
    requirement: 'LST-SORT',
    applies: (family, table) => lists(family, table) && family.sorts.length > 0,
    dependsOn: [...LISTS_HOLD, 'sort/field'],
  },
  {
    id: 'survey/pages',
    topic: 'pages',
    title: 'whole lists after each kind of write, on pages of several sizes',
    requirement: 'OP-{family}-L',
    applies: lists,
    dependsOn: LISTS_HOLD,
  },
  {
    id: 'survey/reads',
    topic: 'reads',
    title: 'reads and list entries in JSON and XML, after each kind of write',
    requirement: 'OP-{family}-R',
    applies: (family, table) => lists(family, table) && hasOp(family, 'read'),
    dependsOn: [...LISTS_HOLD, ...WRITES_HOLD],
  },
  {
    id: 'survey/operations',
    topic: 'operations',
    title: 'further operations of the family, after each kind of write',
    requirement: 'OP-{family}-V',
    applies: (family) => hasOp(family, 'version'),
    dependsOn: LISTS_HOLD,
  },
  ...(['create', 'update', 'delete'] as const).map(
    (topic): Row => ({
      id: `survey/${topic}`,
      topic,
      title: `${topic} after each kind of write, in JSON and XML, with each header`,
      requirement: opRequirementId('{family}', topic),
      applies: (family) => isCreatable(family) && hasOp(family, 'read') && hasOp(family, topic),
      dependsOn: [...LISTS_HOLD, ...WRITES_HOLD, 'survey/pages', 'survey/reads'],
      needs: 'own-data',
    }),
  ),
  {
    id: 'survey/bulk',
    topic: 'bulk',
    title: 'all items of a bulk request and its monitor, after each kind of write',
    requirement: 'SPC-BULK',
    applies: (family, table) => hasOp(family, 'bulkSubmit') && lists(family, table),
    dependsOn: [...LISTS_HOLD, 'bulk/known-id', 'bulk/completes', 'survey/create', 'survey/update'],
    needs: 'full',
  },
  {
    id: 'survey/anc',
    topic: 'anc',
    title: 'ANC operations on one and several endpoints, after each kind of write',
    requirement: 'SPC-ANC',
    applies: (family, table) => hasOp(family, 'apply') && hasOp(family, 'read') && lists(family, table),
    dependsOn: [...LISTS_HOLD, 'anc/apply'],
    needs: 'full',
  },
];

/** Why a survey looked at nothing, and what it would take. */
function whyNothing({ run }: CheckContext, topic: Topic): { readonly why: string; readonly needs: string } {
  const size = run.endpoints?.pool.size ?? 0;
  return topic === 'anc' && size < LEAST_POOL
    ? { why: `the pool has ${size} endpoints`, needs: `--endpoints with at least ${LEAST_POOL} endpoints` }
    : { why: 'the target has no record to look at', needs: 'a record' };
}

/** What each topic of a survey came to. */
export const surveyChecks: readonly Check[] = ROWS.map(
  ({ id, topic, title, requirement, applies, dependsOn, needs = 'read' }): Check => ({
    ...{ id, title, requirement, dependsOn, needs, level: 'stated', depth: 'normal', appliesTo: applies },
    async run(context) {
      const { held, found: finding } = (await surveyOf(context, topic)).of(topic);
      if (finding === undefined) {
        if (held === 0) throw tooLittle(context, whyNothing(context, topic));
        context.witness('looks', held);
        return undefined;
      }
      for (const exchange of finding.exchanges) context.evidence.add(exchange);
      const { expected, observed, about, requirement: broken } = finding;
      throw new CheckFailure({ expected, observed, about, requirement: broken });
    },
  }),
);
