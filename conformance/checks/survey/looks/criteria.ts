import type { Family } from '../../../../lib/contract/types.ts';
import type { Filter } from '../../../../lib/wire/query.ts';
import { isPlain } from '../../../kit/list/fragments.ts';
import { type CaseRule, holds } from '../../../kit/list/predicate.ts';
import { kindOf, type Value } from '../../../kit/list/value.ts';
import type { Surveyed, World } from '../world/world.ts';

/** Filters that are asked for together, with the records by which the answer is judged. */
export interface Criteria {
  readonly filters: readonly Filter[];
  readonly join: 'and' | 'or';
  readonly having: readonly Surveyed[];
}

/** Records that a filter keeps, a bit for each. */
type Bits = bigint;
const joined = (rows: readonly Bits[], join: 'and' | 'or'): Bits =>
  rows.length === 0 ? 0n : rows.reduce((one, other) => (join === 'and' ? one & other : one | other));

/** Criteria that one field of the family may be asked for: small texts that some records hold and others do not. */
function candidates(family: Family, having: readonly Surveyed[], fields: readonly string[]): readonly Filter[] {
  return fields.flatMap((field): Filter[] => {
    const values = having.map(({ values: held }) => held[field] as Value);
    const kind = kindOf(family, field);
    if (kind === 'boolean') return [{ field, operator: 'EQ', value: 'true' }];
    if (kind === 'integer')
      return [
        { field, operator: 'GT', value: '313' },
        { field, operator: 'LT', value: '40000' },
        { field, operator: 'NEQ', value: '14' },
      ];
    const plain = values.map(String).filter(isPlain);
    const ends = [...new Set(plain.map((value) => value.slice(-1)))].slice(0, 5);
    return [
      ...ends.map((value): Filter => ({ field, operator: 'ENDSW', value })),
      ...ends.slice(0, 2).map((value): Filter => ({ field, operator: 'NENDSW', value })),
      ...plain.slice(0, 3).map((value): Filter => ({ field, operator: 'EQ', value })),
      ...plain.slice(3, 4).map((value): Filter => ({ field, operator: 'NEQ', value })),
    ];
  });
}

const fits = ({ values }: Surveyed, { field, operator, value }: Filter, as = field, rule: CaseRule = 'sensitive') =>
  values[as] !== undefined && holds(operator, values[as] as Value, value, rule);

/** True where the case of letters decides nothing: it is not stated whether targets look at it. */
const isOfAnyCase = (having: readonly Surveyed[]) => (filter: Filter) =>
  having.every((record) => fits(record, filter) === fits(record, filter, filter.field, 'insensitive'));

/** Bits of each filter, by the field that it is held against; each is made once. */
function bitsOver(having: readonly Surveyed[]): (filter: Filter, as?: string) => Bits {
  const known = new Map<Filter, Map<string, Bits>>();
  return (filter, as = filter.field) => {
    const rows = known.get(filter) ?? new Map<string, Bits>();
    known.set(filter, rows);
    const row =
      rows.get(as) ??
      having.reduce((bits, record, at) => (fits(record, filter, as) ? bits | (1n << BigInt(at)) : bits), 0n);
    rows.set(as, row);
    return row;
  };
}

/** How many wrong ways of joining the criteria would keep other records. */
function strength(filters: readonly Filter[], join: 'and' | 'or', bits: ReturnType<typeof bitsOver>): number {
  const rows = filters.map((filter) => bits(filter));
  const right = joined(rows, join);
  if (right === 0n) return 0;
  const lastOf = (index: number) => filters.findLastIndex(({ field }) => field === filters[index]?.field) === index;
  const wrong: readonly (readonly Bits[])[] = [
    rows.slice(0, 1),
    rows.slice(-1),
    rows.slice(0, 2),
    rows.filter((_, index) => lastOf(index)),
    filters.map((filter) => bits(filter, filters[0]?.field)),
  ];
  const other = joined(rows, join === 'and' ? 'or' : 'and') === right ? 0 : 3;
  return other + wrong.filter((each) => joined(each, join) !== right).length;
}

const CHOSEN = new WeakMap<World, Map<string, Criteria | undefined>>();

interface Choice extends Criteria {
  readonly score: number;
}

/** The three criteria that tell most wrong joins from the right one on these records. */
function bestOf({ family, start }: World, records: readonly Surveyed[], join: 'and' | 'or'): Choice | undefined {
  const holders = (field: string) => records.filter(({ values }) => values[field] !== undefined).length;
  const fields = family.filters.filter((field) => holders(field) > 1);
  const having = records.filter(({ values }) => fields.every((field) => values[field] !== undefined));
  // What a field that no record has is asked for keeps none of them, and takes none from what the others keep.
  const unheld = family.filters
    .filter((field) => join === 'or' && holders(field) === 0 && kindOf(family, field) === 'text')
    .map((field): Filter => ({ field, operator: 'EQ', value: start }));
  const pool = [...unheld, ...candidates(family, having, fields).filter(isOfAnyCase(having))];
  const bits = bitsOver(having);
  let best: Choice | undefined;
  for (const one of pool)
    for (const two of pool)
      for (const three of pool) {
        if (one === two || two === three || one === three) continue;
        const filters = [one, two, three];
        const score = strength(filters, join, bits);
        if (score > (best?.score ?? 0)) best = { filters, join, having, score };
      }
  return best;
}

/** Three criteria, over different fields where there are several, on the records of the survey or, where they tell more, on those of others. */
export function chooseCriteria(world: World, join: 'and' | 'or'): Criteria | undefined {
  const known = CHOSEN.get(world) ?? new Map<string, Criteria | undefined>();
  CHOSEN.set(world, known);
  if (known.has(join)) return known.get(join);
  // Criteria over one field alone cannot show that fields are mixed up.
  const fields = ({ filters, having }: Criteria) =>
    new Set(
      filters.map(({ field }) => field).filter((field) => having.some(({ values }) => values[field] !== undefined)),
    ).size;
  const [chosen] = [world.records, world.found]
    .flatMap((each) => bestOf(world, each, join) ?? [])
    .sort((one, other) => fields(other) - fields(one) || other.score - one.score);
  known.set(join, chosen);
  return chosen;
}

/** Ids of the records that the criteria keep together. */
export function keptTogether({ filters, join, having }: Criteria): ReadonlySet<string> {
  const fit = (record: Surveyed) =>
    join === 'and' ? filters.every((filter) => fits(record, filter)) : filters.some((filter) => fits(record, filter));
  return new Set(having.filter(fit).map(({ id }) => id));
}
