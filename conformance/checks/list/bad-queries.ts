import { isSuccess } from '../../../lib/wire/answer.ts';
import { pageOf } from '../../../lib/wire/list-walk.ts';
import type { QueryPair } from '../../../lib/wire/query.ts';
import { type Check, type CheckContext, checkOfEach, type Outcome } from '../../kit/check.ts';
import { failure, Inconclusive } from '../../kit/fault.ts';
import { wholeSize } from '../../plans/obvious/looks.ts';
import { population, undecided, valuesOf } from '../../plans/obvious/population.ts';
import { isFiltered } from '../common.ts';

interface BadQuery {
  readonly name: string;
  /** The query, from a listed filter field. */
  readonly pair: (field: string) => QueryPair;
  /** Gap where what is wrong with it is a matter that the specification leaves open. */
  readonly level: 'implied' | 'gap';
}

/** List queries that the specification gives no meaning to. */
const BAD_QUERIES: readonly BadQuery[] = [
  { name: 'unlisted-field', pair: () => ['filter', 'cfmNoSuchField.EQ.x'], level: 'gap' },
  { name: 'unknown-operator', pair: (field) => ['filter', `${field}.LIKE.cfm-no-such-value`], level: 'implied' },
  { name: 'malformed-triplet', pair: (field) => ['filter', field], level: 'implied' },
  { name: 'unlisted-sort', pair: () => ['sortasc', 'cfmNoSuchField'], level: 'gap' },
];

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

async function badFilter(context: CheckContext, { name, pair, level }: BadQuery): Promise<Outcome | undefined> {
  const found = await controlAnswers(context);
  const exchange = await context.send('list', {
    list: { size: wholeSize(context) },
    extra: [pair(context.family.filters[0] ?? '')],
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

async function clientError(context: CheckContext, { pair }: BadQuery): Promise<Outcome | undefined> {
  await controlAnswers(context);
  const exchange = await context.send('list', { extra: [pair(context.family.filters[0] ?? '')] });
  if (isSuccess(exchange)) return { verdict: 'not-applicable', reason: 'the target does not refuse this query' };
  if (exchange.status >= 500)
    throw failure('value', 'list', 'refusal client-error', {
      expected: 'a client error',
      observed: `status ${exchange.status}`,
    });
  context.witness('refusals');
  return undefined;
}

const onBadQueries = {
  appliesTo: isFiltered,
  dependsOn: ['list/envelope'],
  needs: 'read',
} as const satisfies Partial<Check>;

export const badQueryChecks: readonly Check[] = [
  checkOfEach<BadQuery>({
    ...onBadQueries,
    id: 'filter/bad-query',
    title: 'a filter without a meaning is refused or keeps no record',
    requirement: 'NEG-FILTER',
    level: 'implied',
    variants: () => BAD_QUERIES.map((query) => ({ name: query.name, level: query.level, data: query })),
    run: badFilter,
  }),
  checkOfEach<BadQuery>({
    ...onBadQueries,
    id: 'filter/bad-query-status',
    title: 'a list query without a meaning is refused with a client error',
    requirement: 'ADV-5XX',
    level: 'advice',
    variants: () => BAD_QUERIES.map((query) => ({ name: query.name, data: query })),
    run: clientError,
  }),
];
