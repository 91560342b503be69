import type { Operator } from '../../lib/contract/list.ts';

/** Optional things a request may carry; each is allowed by the tables. */
export interface Carried {
  readonly sent: 'json' | 'xml';
  /** Content-Type: the plain name of the format, with a parameter, left out, or (for JSON) text/plain. */
  readonly type: 'plain' | 'charset' | 'none' | 'text';
  /** Accept: for JSON, or left out. */
  readonly accept: 'json' | 'none';
  readonly mediaType: boolean;
  readonly csrf: boolean;
  readonly extra: boolean;
}

/** Values of members by name, null for one that is left out; members that the family does not have count for nothing. */
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

/** Bodies that the tables forbid. */
export const WRONGS = ['range', 'listed', 'member', 'root'] as const;
export type Wrong = (typeof WRONGS)[number];

/**
 * One step of a sequence, as plain data. Records are named by number, modulo how many there are, so that a sequence
 * from which steps were taken out still means something.
 */
export type Step =
  | {
      readonly kind: 'create';
      readonly values: readonly Values[];
      readonly suffix: string;
      /** The name begins with that of a record that is there already. */
      readonly alike: boolean;
      readonly carried: Carried;
    }
  | { readonly kind: 'fill'; readonly count: number }
  | { readonly kind: 'update'; readonly who: number; readonly values: readonly Values[]; readonly carried: Carried }
  | { readonly kind: 'race'; readonly who: number; readonly values: readonly Values[] }
  | { readonly kind: 'rename'; readonly who: number; readonly suffix: string; readonly carried: Carried }
  | { readonly kind: 'delete'; readonly who: number; readonly carried: Carried }
  | { readonly kind: 'reuse'; readonly values: Values }
  | { readonly kind: 'twin'; readonly family: number }
  | { readonly kind: 'refuse'; readonly who: number; readonly on: 'create' | 'update'; readonly wrong: Wrong }
  | { readonly kind: 'gone'; readonly op: 'read' | 'update' | 'delete' }
  | { readonly kind: 'through-view'; readonly who: number; readonly op: 'update' | 'delete' }
  | {
      readonly kind: 'bulk';
      readonly action: 'create' | 'update';
      readonly sent: 'json' | 'xml';
      readonly values: readonly Values[];
    }
  | {
      readonly kind: 'read';
      readonly who: number;
      readonly asked: 'json' | 'xml';
      /** By the view that shows the family, where there is one. */
      readonly view: boolean;
      readonly carried: Carried;
    }
  | { readonly kind: 'named'; readonly who: number }
  | { readonly kind: 'version'; readonly carried: Carried }
  | {
      readonly kind: 'list';
      readonly criteria: readonly Criterion[];
      readonly join: 'and' | 'or' | undefined;
      readonly sort: { readonly field: number; readonly descending: boolean } | undefined;
      readonly size: number;
      /** Pages by the links of the answers, or by their numbers. */
      readonly pages: 'links' | 'numbers';
      readonly view: boolean;
      /** Asked a second time, as some mistakes are made every second time only. */
      readonly twice: boolean;
      readonly carried: Carried;
    }
  | { readonly kind: 'apply'; readonly endpoints: readonly number[]; readonly policy: number; readonly byIp: boolean }
  | { readonly kind: 'clear'; readonly endpoints: readonly number[] }
  | { readonly kind: 'look' };

/** The steps of one kind. */
export type StepOf<K extends Step['kind']> = Extract<Step, { readonly kind: K }>;
