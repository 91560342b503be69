import type { Operator } from '../../lib/contract/list.ts';
import type { Criterion } from './plan.ts';

/** Text of a stored value, as filters and sorting see it. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Order of two stored values: numbers by size, everything else as text by code units. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const left = textOf(a);
  const right = textOf(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Stored value against the value of a filter, in the type of the field. */
export function compareToFilter(value: unknown, filter: string): number {
  return typeof value === 'number' ? compareValues(value, Number(filter)) : compareValues(textOf(value), filter);
}

/** What each operator says of a value that is present. */
export const HOLDS: Readonly<Record<Operator, (value: unknown, filter: string) => boolean>> = {
  EQ: (value, filter) => compareToFilter(value, filter) === 0,
  NEQ: (value, filter) => compareToFilter(value, filter) !== 0,
  GT: (value, filter) => compareToFilter(value, filter) > 0,
  LT: (value, filter) => compareToFilter(value, filter) < 0,
  STARTSW: (value, filter) => textOf(value).startsWith(filter),
  NSTARTSW: (value, filter) => !textOf(value).startsWith(filter),
  ENDSW: (value, filter) => textOf(value).endsWith(filter),
  NENDSW: (value, filter) => !textOf(value).endsWith(filter),
  CONTAINS: (value, filter) => textOf(value).includes(filter),
  NCONTAINS: (value, filter) => !textOf(value).includes(filter),
};

/** True for the operators that say "not": they keep records without the field or leave them out. */
export function isNegative(operator: Operator): boolean {
  return operator.startsWith('N');
}

/** Filter and stored value in the case in which they are compared. */
export function inCase(criterion: Criterion, ignoreCase: boolean, value: unknown): readonly [unknown, string] {
  const upper = (text: string) => text.toUpperCase();
  const fold = criterion.upper || ignoreCase;
  if (!fold || typeof value === 'number') return [value, criterion.value];
  return [upper(textOf(value)), upper(criterion.value)];
}
