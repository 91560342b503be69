import { LIST_PARAMETERS, type Operator } from '../../lib/contract/list.ts';
import type { FieldType } from '../../lib/contract/types.ts';
import type { QueryPair } from '../../lib/wire/query.ts';
import { Problem } from '../answers/problem.ts';

/** One filter of a list, checked. */
export interface Criterion {
  readonly field: string;
  /** Member of the record that the field reads. */
  readonly member: string;
  readonly operator: Operator;
  readonly value: string;
  readonly type: FieldType;
  /** MAC addresses are compared in upper case. */
  readonly upper: boolean;
}

export interface SortPlan {
  readonly field: string;
  readonly member: string;
  readonly descending: boolean;
}

export interface ListPlan {
  readonly family: string;
  readonly criteria: readonly Criterion[];
  readonly join: 'and' | 'or';
  readonly sort?: SortPlan;
  readonly page: number;
  readonly size: number;
  /** The request's parameters as they came, without page and size: links repeat them. */
  readonly pairs: readonly QueryPair[];
}

const NAMES: ReadonlySet<string> = new Set(Object.keys(LIST_PARAMETERS).map((name) => name.toLowerCase()));

/** True for a parameter of lists that the specification names, in any case. */
export const isListParameter = (name: string): boolean => NAMES.has(name.toLowerCase());

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Problem(400, 'query', 'The query holds a percent sign that is no escape');
  }
}

/** Name and value pairs of a raw query, in order, repeated names kept; a plus sign is a blank. */
export function queryPairs(query: string): readonly QueryPair[] {
  if (query === '') return [];
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part): QueryPair => {
      const at = part.indexOf('=');
      return at < 0 ? [decoded(part), ''] : [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
    });
}

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

/** Filter and stored value in the case in which they are compared. */
export function inCase(criterion: Criterion, ignoreCase: boolean, value: unknown): readonly [unknown, string] {
  const upper = (text: string) => text.toUpperCase();
  const fold = criterion.upper || ignoreCase;
  if (!fold || typeof value === 'number') return [value, criterion.value];
  return [upper(textOf(value)), upper(criterion.value)];
}
