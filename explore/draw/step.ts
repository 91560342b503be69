import type { Operator } from '../../lib/contract/list.ts';

/** Optional things a request may carry; each is allowed by the tables. */
export interface Carried {
  readonly sent: 'json' | 'xml';
  readonly mediaType: boolean;
  readonly csrf: boolean;
  readonly extra: boolean;
}

/** Values of members by name; those that the family does not have count for nothing. */
export type Values = Readonly<Record<string, unknown>>;

/** Operand of a filter: a part of what a record of the sequence holds, or a text of the pool. */
export interface Operand {
  readonly of: number;
  readonly part: 'whole' | 'start' | 'end' | 'middle' | 'other-case' | 'pool';
  readonly text: string;
}

export interface Criterion {
  readonly field: number;
  readonly operator: Operator;
  readonly operand: Operand;
}

/**
 * One step of a sequence, as plain data. Records are named by number, modulo how many there are, so that a sequence
 * from which steps were taken out still means something.
 */
export type Step =
  | { readonly kind: 'create'; readonly values: readonly Values[]; readonly suffix: string; readonly carried: Carried }
  | { readonly kind: 'fill'; readonly count: number }
  | { readonly kind: 'update'; readonly who: number; readonly values: readonly Values[]; readonly carried: Carried }
  | { readonly kind: 'rename'; readonly who: number; readonly suffix: string; readonly carried: Carried }
  | { readonly kind: 'delete'; readonly who: number; readonly carried: Carried }
  | { readonly kind: 'reuse'; readonly values: Values }
  | { readonly kind: 'refuse'; readonly who: number; readonly on: 'create' | 'update' }
  | { readonly kind: 'gone'; readonly op: 'read' | 'update' | 'delete' }
  | { readonly kind: 'read'; readonly who: number; readonly asked: 'json' | 'xml'; readonly carried: Carried }
  | {
      readonly kind: 'list';
      readonly criteria: readonly Criterion[];
      readonly join: 'and' | 'or' | undefined;
      readonly sort: { readonly field: number; readonly descending: boolean } | undefined;
      readonly size: number;
      readonly carried: Carried;
    }
  | { readonly kind: 'apply'; readonly endpoints: readonly number[]; readonly policy: number; readonly byIp: boolean }
  | { readonly kind: 'clear'; readonly endpoints: readonly number[] }
  | { readonly kind: 'look' };
