import type { Operator } from '../../../lib/contract/list.ts';
import type { Value } from './value.ts';

/** Whether upper and lower case are the same; the specification does not say, so either is allowed, but only one. */
export type CaseRule = 'sensitive' | 'insensitive';

function order(left: Value, wanted: string): number {
  if (typeof left === 'number') return Math.sign(left - Number(wanted));
  const text = String(left);
  return text < wanted ? -1 : text > wanted ? 1 : 0;
}

/**
 * The meaning of the ten operators, written down a second time and apart from any server: section "List query parameters".
 * Numbers compare as numbers; the text operators read a number or boolean as it is written.
 */
const MEANING: Readonly<Record<Operator, (value: Value, wanted: string) => boolean>> = {
  EQ: (value, wanted) => order(value, wanted) === 0,
  NEQ: (value, wanted) => order(value, wanted) !== 0,
  GT: (value, wanted) => order(value, wanted) > 0,
  LT: (value, wanted) => order(value, wanted) < 0,
  STARTSW: (value, wanted) => String(value).startsWith(wanted),
  NSTARTSW: (value, wanted) => !String(value).startsWith(wanted),
  ENDSW: (value, wanted) => String(value).endsWith(wanted),
  NENDSW: (value, wanted) => !String(value).endsWith(wanted),
  CONTAINS: (value, wanted) => String(value).includes(wanted),
  NCONTAINS: (value, wanted) => !String(value).includes(wanted),
};

/** True if a filter by the operator keeps a record with the value. */
export const holds = (operator: Operator, value: Value, wanted: string): boolean => MEANING[operator](value, wanted);
