import type { FilterTypeSpelling } from '../../../../lib/wire/query.ts';
import type { Check, CheckContext } from '../../../kit/check.ts';
import { CheckFailure, Inconclusive } from '../../../kit/fault.ts';
import type { ListResult } from '../../../kit/list/list-reader.ts';
import { guardAgainstChurn } from '../shared/list-group.ts';
import { labelOf } from '../shared/population.ts';
import { type Difference, differenceOf, intersection, union } from '../shared/relations.ts';
import { queryText } from '../shared/shrink.ts';
import { knownIn, mustAnswer } from './filter-cell.ts';
import { type FilterPair, pairOf, readFilters, SPEC_NAME, SPELLINGS, workingSpelling } from './negated-pair.ts';

async function compare(
  context: CheckContext,
  pair: FilterPair,
  result: ListResult,
  wanted: Set<string>,
  { what, join }: { readonly what: string; readonly join: 'and' | 'or' },
) {
  const subject = `filters ${join}` as const;
  for (const exchange of result.exchanges) context.evidence.add(exchange);
  mustAnswer(result, what, subject);
  const difference: Difference | undefined = differenceOf(wanted, knownIn(pair.population, result));
  if (difference === undefined) return;
  if (result.pages.length > 1 || pair.population.source === 'existing')
    await guardAgainstChurn(pair.group, pair.population, false);
  for (const filter of [pair.a, pair.b]) {
    for (const exchange of (await readFilters(pair.group, [filter])).exchanges) context.evidence.add(exchange);
  }
  const label = labelOf(pair.population, pair.a.field);
  throw new CheckFailure({
    expected: `${what}: ${wanted.size} records for ${queryText({ filters: [pair.a, pair.b] })}`,
    observed: `${difference.missing.length} records missing, ${difference.extra.length} too many`,
    about: { kind: 'records', operation: 'list', subject },
    difference: { missing: difference.missing.map(label), extra: difference.extra.map(label) },
  });
}

function witness(context: CheckContext, pair: FilterPair): void {
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
const defaultAnd: Check = {
  ...onFilters,
  id: 'filter/default-and',
  title: 'repeated filters without filterType are joined by AND',
  requirement: 'LST-FTYPE',
  dependsOn: ['list/envelope', 'list/complete'],
  run: async (context) => {
    const pair = await pairOf(context);
    const result = await readFilters(pair.group, [pair.a, pair.b]);
    for (const exchange of result.exchanges) context.evidence.add(exchange);
    mustAnswer(result, 'two filters', 'filters and');
    const kept = knownIn(pair.population, result);
    const joinedByOr = differenceOf(union(pair.keptByA, pair.keptByB), kept) === undefined;
    if (joinedByOr)
      await compare(context, pair, result, intersection(pair.keptByA, pair.keptByB), {
        what: 'AND by default',
        join: 'and',
      });
    witness(context, pair);
    return undefined;
  },
};

/** The repeated filter keeps the intersection, in either order, and a repetition of the same changes nothing. */
const repeatedFilter: Check = {
  ...onFilters,
  id: 'filter/repeated',
  title: 'repeated filters are joined by AND, in any order',
  requirement: 'LST-FILT',
  dependsOn: ['list/envelope', 'list/complete', 'filter/default-and'],
  run: async (context) => {
    const pair = await pairOf(context);
    const { a, b, group, keptByA, keptByB } = pair;
    const both = intersection(keptByA, keptByB);
    await compare(context, pair, await readFilters(group, [a, b]), both, { what: 'both filters hold', join: 'and' });
    await compare(context, pair, await readFilters(group, [b, a]), both, {
      what: 'order of filters is of no account',
      join: 'and',
    });
    await compare(context, pair, await readFilters(group, [a, a]), new Set(keptByA), {
      what: 'a filter twice is as once',
      join: 'and',
    });
    witness(context, pair);
    return undefined;
  },
};

/** With filterType or, the filters keep the union. */
const joinedByOr: Check = {
  ...onFilters,
  id: 'filter/or',
  title: 'repeated filters are joined by OR if filterType says so',
  requirement: 'LST-FTYPE',
  dependsOn: ['list/envelope', 'list/complete', 'filter/default-and', 'filter/repeated'],
  run: async (context) => {
    const pair = await pairOf(context);
    const spelling = await workingSpelling(context);
    context.observe('spelling', spelling ?? 'none');
    const or = spelling ?? (SPELLINGS[0] as FilterTypeSpelling);
    const wanted = union(pair.keptByA, pair.keptByB);
    await compare(context, pair, await readFilters(pair.group, [pair.a, pair.b], { or }), wanted, {
      what: 'OR by filterType',
      join: 'or',
    });
    witness(context, pair);
    return undefined;
  },
};

/** The parameter has the specification's name; real deployments are recorded to want another spelling, so this warns. */
const filterTypeSpelling: Check = {
  ...onFilters,
  id: 'filter/type-spelling',
  title: 'filterType is read under its listed name',
  requirement: 'LST-FTYPE',
  level: 'implied',
  dependsOn: ['filter/or'],
  run: async (context) => {
    const pair = await pairOf(context);
    const spelling = await workingSpelling(context);
    if (spelling === undefined) throw new Inconclusive('no spelling joins by OR');
    const result = await readFilters(pair.group, [pair.a, pair.b], { or: spelling });
    for (const exchange of result.exchanges) context.evidence.add(exchange);
    if (spelling.name !== SPEC_NAME)
      throw new CheckFailure({
        expected: `${SPEC_NAME} to be read`,
        observed: `only ${spelling.name} is`,
        about: { kind: 'no-effect', operation: 'list', subject: 'filters or' },
      });
    witness(context, pair);
    return undefined;
  },
};

export const joinChecks: readonly Check[] = [defaultAnd, repeatedFilter, joinedByOr, filterTypeSpelling];
