import { countVerdicts } from '../../../lib/judge/conformance/unproven.ts';
import type { Outcome } from '../../../reference/selftest/defect-score.ts';

/** A run in which nothing was accused. */
export const QUIET: Outcome = {
  ...{ exit: 0, counts: countVerdicts([]), accusations: [], passes: [], faults: [], residue: 0, timedOut: false },
  ...{ requests: 10, durationMs: 5 },
};

export const COST = { durationMs: 1, requests: 1, runs: 1, workers: 1 };
