import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import type { CellFacts, CellReport, CellRule } from '../../lib/records/load.ts';
import type { Samples } from '../../lib/records/samples.ts';

/**
 * Rules that the files of runners have the facts for. Everything else (processor time, clock, exit code, endpoints read back) was not
 * measured there, and a rule that nobody measured does not hold.
 */
const MEASURED: ReadonlySet<string> = new Set([
  ...['ran', 'stream-whole', 'counts-agree', 'record-consistent', 'schedule-whole', 'no-exceptions', 'window', 'reuse'],
  ...['lag', 'lag-max', 'common-start', 'no-drops', 'no-failures', 'rate-held', 'in-flight-stable'],
]);

/** What of the facts the files of runners and their manifest show. */
export type CollectedFacts = Pick<CellFacts, 'profile' | 'operation' | 'plan' | 'counts' | 'failures' | 'segments'>;

/** Stand-ins for what was not measured: they let the other rules be judged, and their own rules are replaced. */
function withStandIns(facts: CollectedFacts): CellFacts {
  return {
    ...facts,
    id: `${facts.profile}-${facts.operation}-1`,
    tier: 'nightly',
    attempt: 1,
    startedAt: '',
    generator: {
      ...{ k6Version: '', k6Sha256: '', bundleSha256: '', exitCode: 0, signal: null, streamComplete: true, cores: 1 },
      ...{ k6CpuMean: 0, k6CpuMax: 0, collectorCpuMean: 0, eventLoopDelayP99Ms: 0, clockStepMs: 0, warnings: [] },
    },
    readBack: { sampled: 1, proven: 1, mismatches: [], totalBefore: null, totalAfter: null },
  };
}

function asMeasured(rule: CellRule): CellRule {
  return MEASURED.has(rule.id) ? rule : { ...rule, measured: 'not measured', holds: false, effect: 'invalid' };
}

/** Verdict, reasons and rules of a cell that ran on other machines, of which only the rows are there. */
export interface CollectedVerdict extends Pick<CellReport, 'reasons' | 'rules'> {
  readonly verdict: 'violated' | 'invalid';
}

/**
 * Judges what runners wrote as far as it goes. What the rows show against the target counts where they show the generators on time;
 * what would have to speak for it was not measured, so that the cell is never met.
 */
export function judgeCollected(facts: CollectedFacts, samples: Samples): CollectedVerdict {
  const judged = judgeCell(withStandIns(facts), samples);
  const rules = judged.rules.map(asMeasured);
  const missing = rules.filter(({ measured }) => measured === 'not measured').map(({ id }) => id);
  const reason = `not measured on the runners: ${missing.join(', ')}`;
  return {
    verdict: judged.verdict === 'violated' ? 'violated' : 'invalid',
    reasons: [...judged.reasons, reason],
    rules,
  };
}
