import type { Clock } from '../../lib/clock.ts';
import { defined } from '../../lib/defined.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import type { PlanEntry } from './plan.ts';
import { emptyTrace, evidenceOf, type Trace } from './trace.ts';
import type { Judged } from './verdict.ts';

/** A failed result, held until the rest of its family is done. */
export interface FailedResult {
  readonly entry: PlanEntry;
  readonly result: ConformanceResult;
  /** Of the first try: what the failure rests on, and whether it judged answers that a retry does not see. */
  readonly trace: Pick<Trace, 'grounds' | 'usesAnswerLog'>;
}

export interface Retries {
  readonly clock: Clock;
  /** Why no further check starts; undefined while they do. */
  readonly stopped: () => string | undefined;
  /** Runs an entry again, on fixtures and shared resources of its own. */
  readonly run: (entry: PlanEntry, trace: Trace) => Promise<Judged>;
  readonly onResult: (result: ConformanceResult, grounds?: Grounds) => unknown;
}

/** Most failures of a family that are retried: more than that are no chance failures. */
export const MOST_RETRIES = 20;
/** No retry of a family starts after this time: a slow target is not asked everything twice. */
export const RETRIES_MS = 30_000;

/** Retries each failure once. It stays a failure, marked as flaky if the retry passes; one that is not retried says why. */
export async function retryFailed(failed: readonly FailedResult[], tries: Retries): Promise<void> {
  const { clock } = tries;
  const begun = clock.monotonicMs();
  let tried = 0;
  for (const { entry, result, trace: first } of failed) {
    const late = clock.monotonicMs() - begun > RETRIES_MS;
    const obstacle =
      (entry.check.replays === true ? 'the check ran it again by itself' : undefined) ??
      tries.stopped() ??
      (first.usesAnswerLog ? 'it judges everything that the family answered, which is not asked again' : undefined) ??
      (tried >= MOST_RETRIES ? `${MOST_RETRIES} failures of the family were tried again before` : undefined) ??
      (late ? `failures of the family had been tried again for ${RETRIES_MS / 1000} s` : undefined);
    if (obstacle !== undefined) {
      await tries.onResult({ ...result, retry: { skipped: obstacle, evidence: [], durationMs: 0 } }, first.grounds);
      continue;
    }
    tried += 1;
    const { family, check, variant } = entry;
    const trace = emptyTrace(family, check.id, variant?.name, 'again');
    const from = clock.monotonicMs();
    const { verdict, expected, observed, reason } = await tries.run(entry, trace);
    const durationMs = Math.round(clock.monotonicMs() - from);
    const told = { verdict, ...defined({ expected, observed, reason }), evidence: evidenceOf(trace), durationMs };
    const flaky = verdict === 'pass' ? { flaky: true as const } : {};
    await tries.onResult({ ...result, ...flaky, retry: told }, first.grounds);
  }
}
