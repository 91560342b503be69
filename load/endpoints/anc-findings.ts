import type { AncOperationName } from '../../lib/contract/anc.ts';

/** An answer as it is told to people: status and words, the words without addresses. */
export interface Said {
  readonly status: number;
  readonly says: string;
}

/** What one apply and clear before a load show of a target. */
export interface AncFindings {
  /** Times of the answers, milliseconds; none where nothing was probed. */
  readonly latenciesMs: readonly number[];
  /** An error that the target answers although the operation is carried out: a look at the endpoint showed it. */
  readonly doneDespite?: Said;
  /** Operations that were tried once and refused although others are taken. */
  readonly refused?: Readonly<Partial<Record<AncOperationName, Refusal>>>;
}

/** Why an operation cannot be run, in a sentence, and the status and words of the target. */
export interface Refusal {
  readonly why: string;
  readonly refusal: string;
}

export const NOTHING_FOUND: AncFindings = { latenciesMs: [] };
