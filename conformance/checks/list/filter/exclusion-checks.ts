import type { Filter, FilterTypeSpelling } from '../../../../lib/wire/query.ts';
import { type Check, type CheckContext, checkOfEach } from '../../../kit/check.ts';
import { Inconclusive } from '../../../kit/fault.ts';
import { isPlain } from '../../../kit/list/fragments.ts';
import type { ListResult } from '../../../kit/list/list-reader.ts';
import { folded } from '../../../kit/list/predicate.ts';
import type { Subject } from '../../../kit/subject.ts';
import { tooLittle } from '../../../kit/too-little.ts';
import { failOnLists } from '../shared/list-failure.ts';
import { type ListGroup, listGroup } from '../shared/list-group.ts';
import { shouldSuffice } from '../shared/population.ts';
import { differenceOf, union } from '../shared/relations.ts';
import { queryText } from '../shared/shrink.ts';
import { knownIn, mustAnswer } from './filter-cell.ts';
import { readFilters, SPELLINGS } from './negated-pair.ts';

/** Values of one field that are asked for together. */
const VALUES = 4;

/** Filters on several values of one field: no record fits two of them, each fits some. */
interface Excluding {
  readonly group: ListGroup;
  readonly filters: readonly Filter[];
  /** What each filter keeps alone. */
  readonly kept: readonly ReadonlySet<string>[];
}

/** Values of a field that differ in more than their case. */
function valuesOf({ population }: ListGroup, field: string): readonly string[] {
  const values = new Map<string, string>();
  for (const { values: held } of population.records) {
    const value = held[field] === undefined ? '' : String(held[field]);
    if (value !== '' && isPlain(value) && !values.has(folded(value, 'insensitive')))
      values.set(folded(value, 'insensitive'), value);
  }
  return [...values.values()].slice(0, VALUES);
}

async function makeExcluding(context: CheckContext): Promise<Excluding> {
  const group = await listGroup(context);
  const [best] = context.family.filters
    .map((field) => ({ field, values: valuesOf(group, field) }))
    .sort((a, b) => b.values.length - a.values.length);
  const filters = (best?.values ?? []).map((value): Filter => ({ field: best?.field ?? '', operator: 'EQ', value }));
  const why = 'no two values of one filter field keep records of their own';
  if (filters.length < 2) {
    const own = shouldSuffice(group.population);
    throw tooLittle(context, { own, why, needs: 'two records with different values of a filter field' });
  }
  const alone = await Promise.all(filters.map((filter) => readFilters(group, [filter])));
  const kept = alone.map((result) => knownIn(group.population, result));
  if (kept.some(({ size }) => size === 0) || union(...kept).size < kept.reduce((sum, { size }) => sum + size, 0))
    throw new Inconclusive(why);
  return { group, filters, kept };
}

const excludingOf = (context: CheckContext): Promise<Excluding> =>
  context.run.shared('list-excluding', () => makeExcluding(context));

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>) => differenceOf(one, other) === undefined;

/** What the first two filters keep together without filterType: nothing, one filter's records, or those of both. */
async function together(context: CheckContext, { group, filters, kept }: Excluding) {
  const results: ListResult[] = [];
  let how: 'none' | 'one' | 'both' = 'none';
  for (const [one, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const asked = [filters[one], filters[other]] as [Filter, Filter];
    const result = await readFilters(group, asked);
    results.push(result);
    mustAnswer(result, queryText({ filters: asked }), 'filters and');
    const found = knownIn(group.population, result);
    if (isSame(found, union(kept[0] ?? new Set(), kept[1] ?? new Set()))) how = 'both';
    else if (found.size > 0 && how === 'none') how = 'one';
  }
  for (const result of results) for (const exchange of result.exchanges) context.evidence.add(exchange);
  return how;
}

function failOnDifference(
  context: CheckContext,
  { group }: Excluding,
  { expected, subject }: { readonly expected: string; readonly subject: Subject },
  found: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
): Promise<never> {
  const difference = differenceOf(wanted, found) ?? { missing: [], extra: [] };
  const observed = `${difference.missing.length} records missing, ${difference.extra.length} too many`;
  return failOnLists(context, { group, population: group.population, unscoped: true }, [], {
    ...{ expected, observed, subject, difference },
  });
}

/** Two filters that exclude each other keep nothing: not the records of one of them, and not those of both. */
async function keepsNothing(context: CheckContext, judged: 'one' | 'both'): Promise<undefined> {
  const on = await excludingOf(context);
  const how = await together(context, on);
  const [a, b] = on.filters;
  if (how === judged) {
    const result = await readFilters(on.group, [a, b] as [Filter, Filter]);
    const expected = `no record for ${queryText({ filters: [a, b] as [Filter, Filter] })}: none has both values`;
    const found = knownIn(on.group.population, result);
    await failOnDifference(context, on, { expected, subject: 'filters and' }, found, new Set());
  }
  if (how !== 'none')
    throw new Inconclusive('filters that exclude each other keep records; the other variant judges how');
  context.witness('kept by one of them alone', union(...on.kept.slice(0, 2)).size);
  return undefined;
}

/** Joined by OR, filters on several values keep what each of them keeps alone, and nothing else. */
async function keepsEach(context: CheckContext): Promise<undefined> {
  const on = await excludingOf(context);
  if ((await together(context, on)) === 'one') throw new Inconclusive('of two filters, one is not applied at all');
  const wanted = union(...on.kept);
  let last: ListResult | undefined;
  let spelling: FilterTypeSpelling | undefined;
  for (const or of SPELLINGS) {
    const result = await readFilters(on.group, on.filters, { or });
    last ??= result;
    if (result.refused === undefined && isSame(wanted, knownIn(on.group.population, result))) {
      spelling = or;
      last = result;
      break;
    }
  }
  for (const exchange of last?.exchanges ?? []) context.evidence.add(exchange);
  if (last === undefined || spelling === undefined) {
    if (last !== undefined) mustAnswer(last, 'filters joined by filterType', 'filters or');
    const found = last === undefined ? new Set<string>() : knownIn(on.group.population, last);
    const expected = `the ${wanted.size} records with any of ${on.filters.length} values of ${on.filters[0]?.field}, joined by filterType`;
    return failOnDifference(context, on, { expected, subject: 'filters or' }, found, wanted);
  }
  context.observe('spelling', spelling);
  context.witness('values', on.filters.length);
  return undefined;
}

const VARIANTS = [
  { name: 'all-applied', data: 'one', requirement: 'LST-FILT' },
  { name: 'and-by-default', data: 'both', requirement: 'LST-FTYPE' },
  { name: 'or', data: 'or', requirement: 'LST-FTYPE' },
] as const;

/** Filters that exclude each other: joined by AND they keep nothing, joined by OR what each keeps alone. */
export const exclusionChecks: readonly Check[] = [
  checkOfEach<'both' | 'one' | 'or'>({
    id: 'filter/excluding',
    title: 'filters that exclude each other keep nothing by AND, and by OR what each keeps alone',
    requirement: 'LST-FILT',
    level: 'stated',
    appliesTo: (family) => family.ops.includes('list') && family.filters.length > 0,
    variants: () => VARIANTS,
    // Not the checks of overlapping filters: these are about filters that have nothing in common.
    dependsOn: ['list/envelope', 'list/complete'],
    exercises: ['list'],
    needs: 'read',
    run: (context, join) => {
      return join === 'or' ? keepsEach(context) : keepsNothing(context, join);
    },
  }),
];
