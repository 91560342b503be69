import type { Clock } from '../../clock.ts';

/** How long a look proves a record, or what an endpoint holds, in milliseconds: somebody else may change it meanwhile. */
export const PROOF_MS = 5000;

/** Tells for so long after a look that it still proves what it showed. */
export function lookedNow({ monotonicMs }: Clock): () => boolean {
  const until = monotonicMs() + PROOF_MS;
  return () => monotonicMs() <= until;
}
