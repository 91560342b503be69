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
