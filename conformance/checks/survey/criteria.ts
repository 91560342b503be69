import type { Filter } from '../../../lib/wire/query.ts';
import { isPlain } from '../../kit/list/fragments.ts';
import { holds } from '../../kit/list/predicate.ts';
import { kindOf, type Value } from '../../kit/list/value.ts';
import { havingField, type Surveyed, type World } from './world.ts';

/** Filters that are asked for together, with the records by which the answer is judged. */
export interface Criteria {
  readonly filters: readonly Filter[];
  readonly join: 'and' | 'or';
  readonly having: readonly Surveyed[];
}

type Bits = readonly boolean[];
const all = (rows: readonly Bits[]): Bits => (rows[0] ?? []).map((_, at) => rows.every((row) => row[at]));
const any = (rows: readonly Bits[]): Bits => (rows[0] ?? []).map((_, at) => rows.some((row) => row[at]));
const joined = (rows: readonly Bits[], join: 'and' | 'or'): Bits => (join === 'and' ? all(rows) : any(rows));

/** Criteria that one field of the family may be asked for: small texts that some records hold and others do not. */
function candidates(world: World): readonly Filter[] {
  return world.family.filters.flatMap((field): Filter[] => {
    const values = havingField(world, field).map(({ values: held }) => held[field] as Value);
    const kind = kindOf(world.family, field);
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

const fits = ({ values }: Surveyed, { field, operator, value }: Filter, as = field): boolean =>
  values[as] !== undefined && holds(operator, values[as] as Value, value, 'sensitive');

/** How many wrong ways of joining the criteria would keep other records. */
function strength(filters: readonly Filter[], join: 'and' | 'or', having: readonly Surveyed[]): number {
  const rows = filters.map((filter) => having.map((record) => fits(record, filter)));
  const right = joined(rows, join).join();
  const lastOf = (index: number) => filters.findLastIndex(({ field }) => field === filters[index]?.field) === index;
  const wrong: readonly (readonly Bits[])[] = [
    rows.slice(0, 1),
    rows.slice(-1),
    rows.slice(0, 2),
    rows.filter((_, index) => lastOf(index)),
    filters.map((filter) => having.map((record) => fits(record, filter, filters[0]?.field))),
  ];
  const other = joined(rows, join === 'and' ? 'or' : 'and').join() === right ? 0 : 3;
  const told = wrong.filter((each) => joined(each, join).join() !== right).length;
  return right.includes('true') ? other + told : 0;
}

const CHOSEN = new WeakMap<World, Map<string, Criteria | undefined>>();

/** Three criteria, over different fields where there are several, that tell most wrong joins from the right one. */
export function chooseCriteria(world: World, join: 'and' | 'or'): Criteria | undefined {
  const known = CHOSEN.get(world) ?? new Map<string, Criteria | undefined>();
  CHOSEN.set(world, known);
  if (known.has(join)) return known.get(join);
  const fields = world.family.filters.filter((field) => havingField(world, field).length > 1);
  const having = world.records.length > 0 ? world.records : world.found;
  const judged = having.filter(({ values }) => fields.every((field) => values[field] !== undefined));
  const pool = candidates(world).filter(({ field }) => fields.includes(field));
  let best: { readonly filters: readonly Filter[]; readonly score: number } | undefined;
  for (const one of pool)
    for (const two of pool)
      for (const three of pool) {
        if (one === two || two === three || one === three) continue;
        const filters = [one, two, three];
        const score = strength(filters, join, judged);
        if (score > (best?.score ?? 0)) best = { filters, score };
      }
  const chosen = best === undefined ? undefined : { filters: best.filters, join, having: judged };
  known.set(join, chosen);
  return chosen;
}

/** Ids of the records that the criteria keep together. */
export function keptTogether(_world: World, { filters, join, having }: Criteria): ReadonlySet<string> {
  const rows = filters.map((filter) => having.map((record) => fits(record, filter)));
  const kept = joined(rows, join);
  return new Set(having.filter((_, index) => kept[index]).map(({ id }) => id));
}
