import type { Operator } from '../../lib/contract/list.ts';
import type { FieldType } from '../../lib/contract/types.ts';
import type { QueryPair } from '../../lib/wire/query.ts';

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

/** What a list request asks for, checked against the family's row. */
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
