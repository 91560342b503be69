import { opRequirementId } from '../../../lib/contract/requirements.ts';
import { isObject, isSuccess } from '../../../lib/wire/answer.ts';
import { pageOf } from '../../../lib/wire/list-walk.ts';
import type { Check, CheckContext } from '../../kit/check.ts';
import { Blocked, failure } from '../../kit/fault.ts';
import { shown } from '../../kit/record/record-reads.ts';
import { listSchema } from '../../kit/schemas.ts';
import { fieldLooks, parameterLooks } from '../../plans/obvious/list-looks.ts';
import { type ListPlan, list, wholeList, wholeSize } from '../../plans/obvious/looks.ts';
import { population } from '../../plans/obvious/population.ts';
import { isFiltered, isListed, onLists, onReads } from '../common.ts';
import { decide, isOfRecords } from './decide.ts';

async function hasEnvelope(context: CheckContext): Promise<undefined> {
  const exchange = await context.send('list');
  if (exchange.status === 401 || exchange.status === 403) throw new Blocked(`no permission: status ${exchange.status}`);
  const page = pageOf(exchange);
  if (page === undefined) {
    const got = isObject(exchange.json) ? `members ${Object.keys(exchange.json).join(', ')}` : 'no JSON object';
    throw failure(isSuccess(exchange) ? 'value' : 'refused', 'list', 'envelope', {
      expected: 'a SearchResult with its list of resources',
      observed: `status ${exchange.status}, ${got}`,
    });
  }
  context.witness('answers');
  context.observe('records on the default page', page.items.length);
}

/** Has the oracle judge looks at all records of the family. */
const looked =
  (plan: (context: CheckContext) => ListPlan): Check['run'] =>
  async (context) =>
    decide(context, await population(context), plan(context), { needs: 'a record' });

/** A query that is refused breaks the requirement of the check. */
const isRefused: ListPlan['isAbout'] = ({ kind, subject }) => kind === 'refused' && subject !== 'pages';

/** What a list is, and what it takes. */
export const shapeChecks: readonly Check[] = [
  {
    ...onReads,
    id: 'list/envelope',
    title: 'a list answer is a SearchResult with its resources',
    requirement: 'LST-ENV',
    appliesTo: isListed,
    exercises: ['list'],
    run: hasEnvelope,
  },
  {
    ...onReads,
    id: 'list/served',
    title: 'the list operation is answered with a list',
    requirement: opRequirementId('{family}', 'list'),
    appliesTo: isListed,
    exercises: ['list'],
    run: hasEnvelope,
  },
  {
    ...onLists,
    id: 'list/complete',
    title: 'a list that is read to its end holds every record',
    requirement: 'LST-NEXT',
    // What lists have to show is known from reads.
    dependsOn: ['list/envelope', 'record/read-listed'],
    async run(context) {
      const on = await population(context);
      const isAbout: ListPlan['isAbout'] = (told) => isOfRecords(told) && told.requirement !== 'LST-SIZE';
      await decide(context, on, { looks: [wholeList(context)], isFirst: true, isAbout }, { needs: 'a record' });
      // Made for all checks of lists, so one of them tells.
      if (on.unread !== undefined) throw on.unread;
    },
  },
  {
    ...onLists,
    id: 'list/agrees-with-read',
    title: 'a list entry agrees with a read of the record',
    requirement: 'LIST-GET',
    level: 'implied',
    appliesTo: (family) => family.ops.includes('list') && family.ops.includes('read'),
    run: looked((context) => ({
      looks: [wholeList(context)],
      isAbout: (told) => !isOfRecords(told),
      isOwn: true,
    })),
  },
  {
    ...onLists,
    id: 'list/extra-parameter',
    title: 'a list ignores a query parameter without a meaning',
    requirement: 'CNV-EXTRA',
    run: looked((context) => ({
      looks: [list({ criteria: [], size: wholeSize(context) }, { extra: true })],
      isAbout: isOfRecords,
      isOwn: true,
    })),
  },
  {
    ...onReads,
    id: 'list/fields',
    title: 'every listed filter field and sort field is accepted',
    requirement: 'FLD-{family}',
    appliesTo: (family) => family.ops.includes('list') && family.filters.length + family.sorts.length > 0,
    dependsOn: ['list/envelope'],
    run: looked((context) => ({ looks: fieldLooks(context.family), isAbout: isRefused, isOwn: true })),
  },
  {
    ...onReads,
    id: 'list/without-sort',
    title: 'a list without sort fields accepts page, size, filter and filterType',
    requirement: 'LST-NOSORT',
    appliesTo: (family, table) => isFiltered(family, table) && family.sorts.length === 0,
    dependsOn: ['list/envelope'],
    run: looked((context) => ({ looks: parameterLooks(context.family), isAbout: isRefused, isOwn: true })),
  },
];

export const listEnvelope: Check = {
  ...onReads,
  id: 'body/list-envelope',
  title: 'a list answer has the listed form, down to the link to the next page',
  requirement: 'LST-ENV',
  appliesTo: isListed,
  exercises: ['list'],
  async run(context) {
    for (const list of [{}, { size: 1 }]) {
      const answer = await context.send('list', { list });
      if (!isSuccess(answer)) continue;
      const parsed = listSchema.safeParse(answer.json);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        throw failure('value', 'list', 'envelope', {
          expected: 'the list envelope',
          observed: `${issue?.path.join('.')}: ${issue?.message}; ${shown(answer.json ?? answer.body)}`,
        });
      }
      context.witness('envelopes');
    }
  },
};
