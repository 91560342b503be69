import { isPlain } from '../../../kit/list/fragments.ts';
import { CASE_RULES, folded } from '../../../kit/list/predicate.ts';
import type { Value } from '../../../kit/list/value.ts';

/** Compares two keys: negative, zero or positive. */
type Comparison = (one: Value, other: Value) => number;

/** An order that a target may sort by: the specification gives none for texts, numbers have but one. */
export interface Collation {
  readonly name: string;
  readonly compare: Comparison;
}

const number = (one: Value, other: Value): number => Number(one) - Number(other);

/** Runs of digits with zeros before them until all are of one length: texts then compare as the numbers in them do. */
const byNumber = (text: string): string => text.replace(/\d+/g, (run) => run.padStart(20, '0'));

const COLLATIONS: readonly Collation[] = CASE_RULES.flatMap((rule) =>
  [
    { name: `case ${rule}`, keyOf: (text: string) => text },
    { name: `case ${rule}, digits by number`, keyOf: byNumber },
  ].map(({ name, keyOf }) => ({
    name,
    compare: (one: Value, other: Value) => {
      const [a, b] = [keyOf(folded(String(one), rule)), keyOf(folded(String(other), rule))];
      return a < b ? -1 : a > b ? 1 : 0;
    },
  })),
);

/** Orders allowed for keys of this kind. */
export function collationsFor(keys: readonly Value[]): readonly Collation[] {
  return keys.every((key) => typeof key === 'number') ? [{ name: 'numeric', compare: number }] : COLLATIONS;
}

/** Keys whose place all collations agree on but for case: those with other signs may stand anywhere. */
export function isJudged(key: Value): boolean {
  return typeof key !== 'string' || isPlain(key.replaceAll('_', '-'));
}

/** First place where the keys do not follow the collation; undefined where they do everywhere. */
function firstDescent(keys: readonly Value[], compare: Comparison): number | undefined {
  const at = keys.findIndex((key, index) => index > 0 && compare(keys[index - 1] as Value, key) > 0);
  return at < 0 ? undefined : at;
}

/** The collation that explains the order; undefined where none does. */
export function explaining(
  keys: readonly Value[],
  descending: boolean,
  allowed = collationsFor(keys),
): Collation | undefined {
  return allowed.find(({ compare }) => {
    const directed: Comparison = descending ? (one, other) => compare(other, one) : compare;
    return firstDescent(keys, directed) === undefined;
  });
}
