import { defined } from '../../lib/defined.ts';
import { OUTCOME } from '../../lib/records/load/samples.ts';
import { type LatencySummary, summarizeLatency } from '../../lib/stats/latency.ts';
import { type Gathered, type GivenEvidence, gatherRunners, windowOf } from './gather.ts';
import { type CollectedVerdict, judgeCollected } from './judge-collected.ts';
import type { RunnerFile } from './runner-file.ts';
import type { TestRun } from './test-run-schema.ts';

/** Figures of a cell from the files of its runners, and the verdict as far as the evidence goes. */
export interface Collected
  extends CollectedVerdict,
    Pick<Gathered, 'profile' | 'operation' | 'counts' | 'failures' | 'startSpreadMs'> {
  readonly segments: number;
  readonly serviceTime: LatencySummary;
  readonly responseTime: LatencySummary;
}

/** Adds up what the runners of one TestRun wrote, and judges it. Throws `ResultsError` as `gatherRunners` does. */
export function collectRunners(
  files: readonly RunnerFile[],
  manifest: TestRun,
  evidence: GivenEvidence = {},
): Collected {
  const gathered = gatherRunners(files, manifest, evidence);
  const { profile, operation, samples, plan, counts, failures, segments, startSpreadMs } = gathered;
  const window = windowOf(samples, plan.warmupSeconds, plan.durationSeconds);
  const isServed = (row: number) => samples.outcome[row] === OUTCOME.success;
  const served = window.filter(isServed);
  const atUs = (rows: readonly number[]) => Float64Array.from(rows, (row) => samples.dueUs[row] ?? 0);
  const responseUs = window.map((row) => (isServed(row) ? (samples.responseUs[row] ?? 0) : Number.POSITIVE_INFINITY));
  const facts = { profile, operation, plan, counts, failures, ...defined({ segments }) };
  return {
    ...{ profile, operation, counts, failures, startSpreadMs },
    ...judgeCollected(facts, samples, gathered.evidence),
    segments: files.length,
    serviceTime: summarizeLatency({
      valuesUs: served.map((row) => samples.serviceUs[row] ?? 0),
      atUs: atUs(served),
    }),
    responseTime: summarizeLatency({ valuesUs: responseUs, atUs: atUs(window) }),
  };
}
