import { defined } from '../../../../lib/defined.ts';
import type { Filter, FilterTypeSpelling } from '../../../../lib/wire/query.ts';
import type { CheckContext } from '../../../kit/check.ts';
import { Inconclusive } from '../../../kit/fault.ts';
import { candidates, isPlain } from '../../../kit/list/fragments.ts';
import type { ListResult } from '../../../kit/list/list-reader.ts';
import { holds } from '../../../kit/list/predicate.ts';
import { kindOf } from '../../../kit/list/value.ts';
import { tooLittle } from '../../../kit/too-little.ts';
import { type ListGroup, listGroup } from '../shared/list-group.ts';
import { type Population, shouldSuffice } from '../shared/population.ts';
import { differenceOf, intersection, union } from '../shared/relations.ts';
import { knownIn } from './filter-cell.ts';

/** Two filters whose answers overlap, neither within the other: only so can AND, OR and "the first alone" be told apart. */
export interface FilterPair {
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

/** Filters to make pairs of; those that keep few records first, so that an answer is one page and no one else's records matter. */
function possibleFilters(context: CheckContext, population: Population): readonly Filter[] {
  const of = (operators: readonly Filter['operator'][]) =>
    context.family.filters.flatMap((field) => {
      const held = population.records.flatMap(({ values }) => (values[field] === undefined ? [] : [values[field]]));
      const allowed = operators.filter(
        (each) => each === 'EQ' || each === 'NEQ' || kindOf(context.family, field) === 'text',
      );
      const plain = candidates(held.filter((value) => isPlain(String(value))));
      return allowed.flatMap((operator) => plain.map((value) => ({ field, operator, value })));
    });
  return [...of(['STARTSW', 'ENDSW', 'CONTAINS', 'EQ']), ...of(['NEQ'])];
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

async function overlappingPair(context: CheckContext): Promise<FilterPair> {
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
  const why = 'the values of the readable records allow no two filters with overlapping answers';
  // Answers that do not overlap as the records do are not a matter of what is on the target.
  const own = shouldSuffice(population) || tries > 0;
  throw tooLittle(context, { own, why, needs: 'three records with different values in the filter fields' });
}

/** The pair of the family, found once. */
export const pairOf = (context: CheckContext): Promise<FilterPair> =>
  context.run.shared('list-pair', () => overlappingPair(context));

/** A list under filters, joined by OR where a spelling for it is given. */
export function readFilters(
  group: ListGroup,
  filters: readonly Filter[],
  join?: { readonly or: FilterTypeSpelling },
): Promise<ListResult> {
  const size = defined({ size: group.size });
  return group.read({
    list: { filters, ...size, ...defined({ join: join && ('or' as const) }) },
    ...defined({ filterType: join?.or }),
  });
}

/** Spellings of "or", the specification's first: its name, then what real deployments are recorded to want. */
export const SPEC_NAME = 'filterType';
export const SPELLINGS: readonly FilterTypeSpelling[] = [
  { name: SPEC_NAME, or: 'or' },
  { name: SPEC_NAME, or: 'OR' },
  { name: 'filtertype', or: 'or' },
  { name: 'filtertype', or: 'OR' },
];

async function findSpelling(pair: FilterPair): Promise<FilterTypeSpelling | undefined> {
  for (const or of SPELLINGS) {
    const result = await readFilters(pair.group, [pair.a, pair.b], { or });
    const wanted = union(pair.keptByA, pair.keptByB);
    if (result.refused === undefined && differenceOf(wanted, knownIn(pair.population, result)) === undefined) return or;
  }
  return undefined;
}

/** The spelling of "or" that gives the union of the pair; undefined where none does. Found once. */
export const workingSpelling = (context: CheckContext): Promise<FilterTypeSpelling | undefined> =>
  context.run.shared('list-or', async () => findSpelling(await pairOf(context)));
