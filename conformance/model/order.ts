import type { Family } from '../../lib/contract/types.ts';
import type { Value } from '../kit/list/value.ts';
import { shown } from '../kit/record/record-reads.ts';
import type { Difference } from './difference.ts';
import { type Known, keyOf } from './history.ts';
import { fieldValue, isPlainlyOrdered } from './match.ts';
import type { ListQuestion, ShownEntry, ShownList } from './observation.ts';

type Pair = readonly [Value, Value];

/** True if every order puts the one before the other: numbers by size, texts as far as collations agree. Truth values have no order. */
function isBefore(one: Value, other: Value): boolean {
  if (typeof one === 'number') return typeof other === 'number' && one < other;
  return typeof one === 'string' && typeof other === 'string' && isPlainlyOrdered(one, other) && one < other;
}

/** Longer lists are not searched for a record that an update left in its place. */
const MOST_SEARCHED = 300;
/** Values of which one may stand in the wrong place by chance, if their order is lost. */
const FEW = 5;

/** The updated record without which the list is in order, as it is without no other; undefined if it may be another. */
function leftBehind(all: readonly Known[], asked: Family, field: string, descending: boolean) {
  const held = ({ fields }: Pick<Known, 'fields'>) => fieldValue(asked, fields, field);
  const before = (one: Known) => {
    const then = Object.entries(one.former).map(([member, [value]]) => [member, value]);
    return held({ fields: { ...one.fields, ...Object.fromEntries(then) } });
  };
  const isRightWithout = (left: readonly Known[]) => {
    const rest = all.filter((one) => !left.includes(one)).flatMap((one) => held(one) ?? []);
    return rest.length > 1 && misplaced(rest, descending) === undefined;
  };
  const changed = all.filter((one) => before(one) !== undefined && before(one) !== held(one));
  if (all.length > MOST_SEARCHED || !isRightWithout(changed)) return undefined;
  const one = changed.find((each) => isRightWithout([each])) ?? changed[0];
  if (one === undefined || all.some((each) => !changed.includes(each) && isRightWithout([each]))) return undefined;
  const now = shown(held(one));
  return {
    holder: keyOf(one.family, one.id),
    onlyIf: `an update changed ${field}: ${now} was ${shown(before(one))} before`,
  };
}

/** The number from which on each stands wrong beside those below it, which are in order; undefined if there is none such. */
function fromNumber(values: readonly Value[], descending: boolean): Pick<Difference, 'onlyIf'> | undefined {
  const numbers = values.filter((value) => typeof value === 'number');
  const sizes = [...new Set(numbers)].sort((one, other) => one - other);
  const isWrong = (some: (value: number) => boolean) => misplaced(numbers.filter(some), descending) !== undefined;
  const at = sizes.findIndex((size) => isWrong((value) => value <= size));
  const [below, first] = [sizes[at - 1], sizes[at]];
  if (numbers.length < values.length || at < 2 || below === undefined || first === undefined) return undefined;
  const high = sizes.slice(at);
  return high.length > 1 && high.every((size) => isWrong((value) => value < first || value === size))
    ? { onlyIf: `a value is ${first} or more; up to ${below} they are in order` }
    : undefined;
}

/** The first two values that are the wrong way round. Any two, not neighbors alone: between them may stand one whose place is open. */
function misplaced(values: readonly Value[], descending: boolean): Pair | undefined {
  for (const [at, value] of values.entries()) {
    const later = values.slice(at + 1).find((other) => (descending ? isBefore(value, other) : isBefore(other, value)));
    if (later !== undefined) return [value, later];
  }
  return undefined;
}

/** Two known records that are in the wrong order by any collation. Source: "List query parameters", sortasc and sortdsc. */
export function sortOrder(
  known: ReadonlyMap<string, Known>,
  { sort, family, paging }: ListQuestion,
  { pages }: ShownList,
  asked: Family,
): Difference | undefined {
  if (sort === undefined) return undefined;
  const { field, descending } = sort;
  const valuesOf = (entries: readonly ShownEntry[]): readonly Value[] =>
    entries.flatMap(({ id }) => fieldValue(asked, known.get(id)?.fields ?? {}, field) ?? []);
  const alone = pages.map((entries) => misplaced(valuesOf(entries), descending));
  // A record that is shown twice is no fault of the order.
  const once = [...new Map(pages.flat().map((entry) => [entry.id, entry])).values()];
  const pair = alone.find((each) => each !== undefined) ?? misplaced(valuesOf(once), descending);
  if (pair === undefined) return undefined;
  const direction = descending ? 'dsc' : 'asc';
  const records = once.flatMap(({ id }) => known.get(id) ?? []);
  const keyWith = (value: Value) => {
    const one = records.find(({ fields }) => fieldValue(asked, fields, field) === value);
    return one === undefined ? [] : [keyOf(one.family, one.id)];
  };
  const values = valuesOf(once);
  const isOfOne =
    values.length > FEW &&
    values.length <= MOST_SEARCHED &&
    values.some((_, at) => misplaced(values.toSpliced(at, 1), descending) === undefined);
  // The first page is in order and what follows is not: the way to it lost the sort, unless one record alone is out of order.
  const isLost = alone[0] === undefined && paging !== 'number' && valuesOf(pages[0] ?? []).length > 1 && !isOfOne;
  return {
    ...(leftBehind(records, asked, field, descending) ?? fromNumber(values, descending)),
    requirement: isLost ? 'LST-NEXT' : 'LST-SORT',
    about: { kind: 'value', operation: 'list', subject: `sort ${field}.${direction}` },
    family,
    expected: `sort${descending ? 'dsc' : 'asc'}=${field} in ${descending ? 'descending' : 'ascending'} order of the values`,
    observed: `${shown(pair[0])} before ${shown(pair[1])}`,
    pair: pair.flatMap(keyWith),
  };
}
