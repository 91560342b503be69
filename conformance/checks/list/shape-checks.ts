import { opRequirementId } from '../../../lib/contract/requirements.ts';
import type { Family } from '../../../lib/contract/types.ts';
import { isForbidden, isObject, isSuccess } from '../../../lib/wire/answer.ts';
import { pageOf } from '../../../lib/wire/list-walk.ts';
import { type Check, type CheckContext, checkOfEach, type Outcome } from '../../kit/check.ts';
import { Blocked, failure, Inconclusive } from '../../kit/fault.ts';
import { shown } from '../../kit/record/record-reads.ts';
import { listSchema } from '../../kit/schemas.ts';
import { fieldLooks, parameterLooks } from '../../plans/obvious/list-looks.ts';
import { type ListPlan, list, wholeList, wholeSize } from '../../plans/obvious/looks.ts';
import { population, undecided, valuesOf } from '../../plans/obvious/population.ts';
import { isFiltered, isListed, onLists, onReads } from '../common.ts';
import { decide, isOfPages, isOfRecords, looked } from './decide.ts';

async function hasEnvelope(context: CheckContext): Promise<undefined> {
  const exchange = await context.send('list');
  if (isForbidden(exchange)) throw new Blocked(`no permission: status ${exchange.status}`);
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
      const plan = { looks: [wholeList(context)], isFirst: true, isAbout: isOfPages } as const;
      await decide(context, on, plan, { needs: 'a record' });
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
    run: looked((context) => ({ looks: [wholeList(context)], isAbout: (told) => !isOfRecords(told), isOwn: true })),
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

/** List queries that the specification gives no meaning to; a gap where what is wrong with one is a matter that it leaves open. */
export const badQueriesOf = ({ filters: [field = 'name'] }: Family) =>
  [
    { name: 'unlisted-field', parameter: 'filter', value: 'cfmNoSuchField.EQ.x', level: 'gap' },
    { name: 'unknown-operator', parameter: 'filter', value: `${field}.LIKE.cfm-no-such-value`, level: 'implied' },
    { name: 'malformed-triplet', parameter: 'filter', value: field, level: 'implied' },
    { name: 'unlisted-sort', parameter: 'sortasc', value: 'cfmNoSuchField', level: 'gap' },
  ] as const;
type BadQuery = ReturnType<typeof badQueriesOf>[number];

/** The good control of a bad query is answered, so that a refusal is of what is bad about it; gives what it found. */
async function controlAnswers(context: CheckContext): Promise<number> {
  const [field = ''] = context.family.filters;
  const on = await population(context, field);
  const [value] = valuesOf(on, field);
  if (value === undefined)
    throw undecided(on, context, {
      why: `no record shows ${field}: the control of the bad query cannot be asked`,
      needs: `a record that shows ${field}`,
    });
  const control = await context.send('list', { list: { filters: [{ field, operator: 'EQ', value: String(value) }] } });
  const found = pageOf(control)?.items.length ?? 0;
  if (found === 0) throw new Inconclusive('the good control of the bad query is not answered');
  return found;
}

async function badFilter(
  context: CheckContext,
  { name, parameter, value, level }: BadQuery,
): Promise<Outcome | undefined> {
  const found = await controlAnswers(context);
  const exchange = await context.send('list', {
    list: { size: wholeSize(context) },
    extra: [[parameter, value]],
  });
  const page = pageOf(exchange);
  const observed =
    page === undefined ? `refused with status ${exchange.status}` : `answered with ${page.items.length} records`;
  context.observe('answer', { status: exchange.status, records: page?.items.length ?? null });
  context.witness('records of the control', found);
  if (level === 'gap') return { verdict: 'info', observed };
  if (page !== undefined && page.items.length > 0)
    throw failure('accepted', 'list', `filter ${name}`, { expected: 'a refusal, or no record', observed });
  return undefined;
}

export const badQueries = checkOfEach<BadQuery>({
  id: 'filter/bad-query',
  title: 'a filter without a meaning is refused or keeps no record',
  requirement: 'NEG-FILTER',
  level: 'implied',
  needs: 'read',
  appliesTo: isFiltered,
  dependsOn: ['list/envelope'],
  variants: (family) => badQueriesOf(family).map((query) => ({ name: query.name, level: query.level, data: query })),
  run: badFilter,
});
