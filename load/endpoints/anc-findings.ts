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
  /** Why the operations that name an IP address cannot be run: it was refused, and the same endpoint is taken by its MAC address. */
  readonly noSession?: { readonly why: string; readonly refusal: string };
}

export const NOTHING_FOUND: AncFindings = { latenciesMs: [] };
