import type { Filter, FilterTypeSpelling } from '../../lib/wire/query.ts';
import { type Check, type CheckContext, CheckFailure, Inconclusive } from '../check.ts';
import { knownIn, mustAnswer } from './filter-cell.ts';
import { candidates, isPlain } from './fragments.ts';
import { guardAgainstChurn, type ListGroup, listGroup } from './list-group.ts';
import type { ListResult } from './list-reader.ts';
import { labelOf, type Population } from './population.ts';
import { holds } from './predicate.ts';
import { type Difference, differenceOf, intersection, union } from './relations.ts';
import { queryText } from './shrink.ts';
import { kindOf } from './value.ts';

/** Two filters whose answers overlap, neither within the other: only so can AND, OR and "the first alone" be told apart. */
interface Pair {
  readonly group: ListGroup;
  readonly population: Population;
  readonly a: Filter;
  readonly b: Filter;
  readonly keptByA: ReadonlySet<string>;
  readonly keptByB: ReadonlySet<string>;
}

const isProper = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  const both = intersection(a, b).size;
  return both > 0 && both < a.size && both < b.size;
};

function possibleFilters(context: CheckContext, population: Population): readonly Filter[] {
  return context.family.filters.flatMap((field) => {
    const values = population.records.flatMap(({ values: held }) => (held[field] === undefined ? [] : [held[field]]));
    const text = kindOf(context.name, context.family, field) === 'text';
    const operators = text ? (['STARTSW', 'ENDSW', 'CONTAINS', 'NEQ'] as const) : (['EQ', 'NEQ'] as const);
    const plain = candidates(values.filter((value) => isPlain(String(value))));
    return operators.flatMap((operator) => plain.map((value) => ({ field, operator, value })));
  });
}

const expectedOf = (population: Population, { field, operator, value }: Filter): Set<string> =>
  new Set(
    population.records.flatMap(({ id, values }) => {
      const held = values[field];
      return held !== undefined && holds(operator, held, value, 'sensitive') ? [id] : [];
    }),
  );

/** Pairs that are to be tried are few: the answers themselves decide whether one serves. */
const TRIES = 6;

async function overlappingPair(context: CheckContext): Promise<Pair> {
  const group = await listGroup(context);
  const { population } = group;
  const filters = possibleFilters(context, population).map((filter) => ({
    filter,
    ids: expectedOf(population, filter),
  }));
  let tries = 0;
  for (const [index, one] of filters.entries()) {
    for (const other of filters.slice(index + 1)) {
      if (!isProper(one.ids, other.ids)) continue;
      if (tries >= TRIES) throw new Inconclusive('no two filters with overlapping answers were found');
      tries += 1;
      const [a, b] = [one.filter, other.filter];
      const keptByA = knownIn(population, await readFilters(group, [a]));
      const keptByB = knownIn(population, await readFilters(group, [b]));
      if (isProper(keptByA, keptByB)) return { group, population, a, b, keptByA, keptByB };
    }
  }
  throw new Inconclusive('the values of the readable records allow no two filters with overlapping answers');
}

const pairOf = (context: CheckContext): Promise<Pair> => context.shared('list-pair', () => overlappingPair(context));

function readFilters(
  group: ListGroup,
  filters: readonly Filter[],
  join?: { readonly or: FilterTypeSpelling },
): Promise<ListResult> {
  const size = group.size === undefined ? {} : { size: group.size };
  return group.read({
    list: { filters, ...size, ...(join === undefined ? {} : { join: 'or' as const }) },
    ...(join === undefined ? {} : { filterType: join.or }),
  });
}

async function compare(context: CheckContext, pair: Pair, result: ListResult, wanted: Set<string>, what: string) {
  for (const exchange of result.exchanges) context.keep(exchange);
  mustAnswer(result, what);
  const difference: Difference | undefined = differenceOf(wanted, knownIn(pair.population, result));
  if (difference === undefined) return;
  await guardAgainstChurn(pair.group);
  for (const filter of [pair.a, pair.b]) {
    for (const exchange of (await readFilters(pair.group, [filter])).exchanges) context.keep(exchange);
  }
  const label = labelOf(pair.population, pair.a.field);
  throw new CheckFailure(
    `${what}: ${wanted.size} records for ${queryText({ filters: [pair.a, pair.b] })}`,
    `${difference.missing.length} records missing, ${difference.extra.length} too many`,
    { missing: difference.missing.map(label), extra: difference.extra.map(label) },
  );
}

function witness(context: CheckContext, pair: Pair): void {
  context.witness('kept by both', intersection(pair.keptByA, pair.keptByB).size);
  context.witness(
    'kept by one only',
    union(pair.keptByA, pair.keptByB).size - intersection(pair.keptByA, pair.keptByB).size,
  );
}

const onFilters = {
  level: 'stated',
  appliesTo: (family) => family.ops.includes('list') && family.filters.length > 0,
  needs: 'read',
} as const satisfies Partial<Check>;

/** Filters without filterType are joined by AND, not by OR. */
export const defaultAnd: Check = {
  ...onFilters,
  id: 'filter/default-and',
  title: 'repeated filters without filterType are joined by AND',
  requirement: 'LST-FTYPE',
  dependsOn: ['list/envelope', 'list/complete'],
  run: async (context) => {
    const pair = await pairOf(context);
    const result = await readFilters(pair.group, [pair.a, pair.b]);
    for (const exchange of result.exchanges) context.keep(exchange);
    mustAnswer(result, 'two filters');
    const kept = knownIn(pair.population, result);
    const joinedByOr = differenceOf(union(pair.keptByA, pair.keptByB), kept) === undefined;
    if (joinedByOr) await compare(context, pair, result, intersection(pair.keptByA, pair.keptByB), 'AND by default');
    witness(context, pair);
    return undefined;
  },
};

/** The repeated filter keeps the intersection, in either order, and a repetition of the same changes nothing. */
export const repeatedFilter: Check = {
  ...onFilters,
  id: 'filter/repeated',
  title: 'repeated filters keep the records that fit all of them, in any order',
  requirement: 'LST-FILT',
  dependsOn: ['list/envelope', 'list/complete', 'filter/default-and'],
  run: async (context) => {
    const pair = await pairOf(context);
    const { a, b, group, keptByA, keptByB } = pair;
    const both = intersection(keptByA, keptByB);
    await compare(context, pair, await readFilters(group, [a, b]), both, 'both filters hold');
    await compare(context, pair, await readFilters(group, [b, a]), both, 'order of filters is of no account');
    await compare(context, pair, await readFilters(group, [a, a]), new Set(keptByA), 'a filter twice is as once');
    witness(context, pair);
    return undefined;
  },
};

/** Spellings of "or", the specification's first: its name, then what real deployments are recorded to want. */
const SPEC_NAME = 'filterType';
const SPELLINGS: readonly FilterTypeSpelling[] = [
  { name: SPEC_NAME, or: 'or' },
  { name: SPEC_NAME, or: 'OR' },
  { name: 'filtertype', or: 'or' },
  { name: 'filtertype', or: 'OR' },
];

async function workingSpelling(pair: Pair): Promise<FilterTypeSpelling | undefined> {
  for (const or of SPELLINGS) {
    const result = await readFilters(pair.group, [pair.a, pair.b], { or });
    const wanted = union(pair.keptByA, pair.keptByB);
    if (result.refused === undefined && differenceOf(wanted, knownIn(pair.population, result)) === undefined) return or;
  }
  return undefined;
}

/** With filterType or, the filters keep the union. */
export const joinedByOr: Check = {
  ...onFilters,
  id: 'filter/or',
  title: 'repeated filters with filterType or keep the records that fit any of them',
  requirement: 'LST-FTYPE',
  dependsOn: ['list/envelope', 'list/complete', 'filter/default-and'],
  run: async (context) => {
    const pair = await pairOf(context);
    const spelling = await workingSpelling(pair);
    context.observe('spelling', spelling ?? 'none');
    const or = spelling ?? (SPELLINGS[0] as FilterTypeSpelling);
    const wanted = union(pair.keptByA, pair.keptByB);
    await compare(context, pair, await readFilters(pair.group, [pair.a, pair.b], { or }), wanted, 'OR by filterType');
    witness(context, pair);
    return undefined;
  },
};

/** The parameter has the specification's name; real deployments are recorded to want another spelling, so this warns. */
export const filterTypeSpelling: Check = {
  ...onFilters,
  id: 'filter/type-spelling',
  title: 'the parameter that joins filters is spelled filterType',
  requirement: 'LST-FTYPE',
  level: 'implied',
  dependsOn: ['filter/or'],
  run: async (context) => {
    const pair = await pairOf(context);
    const spelling = await workingSpelling(pair);
    if (spelling === undefined) throw new Inconclusive('no spelling joins by OR');
    const result = await readFilters(pair.group, [pair.a, pair.b], { or: spelling });
    for (const exchange of result.exchanges) context.keep(exchange);
    if (spelling.name !== SPEC_NAME) throw new CheckFailure(`${SPEC_NAME} to be read`, `only ${spelling.name} is`);
    witness(context, pair);
    return undefined;
  },
};

export const joinChecks: readonly Check[] = [defaultAnd, repeatedFilter, joinedByOr, filterTypeSpelling];
