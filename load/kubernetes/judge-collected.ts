import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import type { CellFacts, CellReport, CellRule } from '../../lib/records/load/load.ts';
import type { Samples } from '../../lib/records/load/samples.ts';
import { type CollectedEvidence, generatorOf } from './evidence.ts';

const UNMEASURED = 'not measured';

/** Rules that the rows of the runners decide. */
const BY_ROWS = [
  ...['ran', 'stream-whole', 'counts-agree', 'record-consistent', 'schedule-whole', 'no-exceptions', 'window', 'reuse'],
  ...['lag', 'lag-max', 'common-start', 'no-drops', 'no-failures', 'rate-held', 'in-flight-stable', 'in-flight-at-end'],
  ...['slo-errors', 'slo-p50', 'slo-p90', 'slo-p95', 'slo-p99', 'slo-p99.9'],
];
const BY_PROBES = ['k6-cpu', 'k6-cpu-max', 'swap', 'throttled', 'same-program'];
const BY_READ_BACK = [
  'read-back-done',
  'effect-proven',
  'effect-proven-in-flight',
  'totals-agree',
  'reconciled',
  'policies-proven',
];

/** What of the facts the files of runners and their manifest show. */
export type CollectedFacts = Pick<CellFacts, 'profile' | 'operation' | 'plan' | 'counts' | 'failures' | 'segments'>;

/** Verdict, reasons and rules of a cell that ran on other machines. */
export type CollectedVerdict = Pick<CellReport, 'verdict' | 'reasons' | 'rules'>;

/** The facts of a cell, with stand-ins for what nobody measured: they let the other rules be judged, and `asMeasured` takes them back. */
function withEvidence(facts: CollectedFacts, evidence: CollectedEvidence): CellFacts {
  return {
    ...facts,
    id: `${facts.profile}-${facts.operation}-1`,
    ...{ depth: 'normal', attempt: 1, startedAt: '', generator: generatorOf(evidence) },
    readBack: evidence.readBack ?? { sampled: 1, proven: 1, mismatches: [], totalBefore: null, totalAfter: null },
  };
}

/** What would have to be given for the rules that nobody measured. */
function missingEvidence({ pods, probes, clockStepMs, readBack }: CollectedEvidence): string[] {
  return [
    ...(pods === undefined ? ['how the runners ended (--pods)'] : []),
    ...(probes === undefined ? ['what the runners used (POD.probe beside the rows)'] : []),
    ...(clockStepMs === undefined ? ['the clock of the runners'] : []),
    ...(readBack === undefined ? ['what the endpoints hold (load --cluster reads them back)'] : []),
  ];
}

/**
 * Judges what runners wrote as far as the evidence goes: met needs all of it, and a reason names what is missing. What is there
 * may show the target at fault, where it shows the generators in order. A rule about the process that reads a stream does not apply.
 */
export function judgeCollected(
  facts: CollectedFacts,
  samples: Samples,
  evidence: CollectedEvidence = {},
): CollectedVerdict {
  const { pods, probes, clockStepMs, readBack } = evidence;
  const judged = judgeCell(withEvidence(facts, evidence), samples);
  const measured = new Set([
    ...BY_ROWS,
    ...(pods === undefined ? [] : ['k6-ended']),
    ...(probes === undefined ? [] : BY_PROBES),
    ...(clockStepMs === undefined ? [] : ['clock']),
    ...(readBack === undefined ? [] : BY_READ_BACK),
  ]);
  const asMeasured = (rule: CellRule): CellRule =>
    rule.holds === null || measured.has(rule.id)
      ? rule
      : { ...rule, measured: UNMEASURED, holds: false, effect: 'invalid' };
  const missing = missingEvidence(evidence);
  return {
    verdict: judged.verdict === 'met' && missing.length > 0 ? 'invalid' : judged.verdict,
    reasons: [
      ...judged.facts.generator.warnings,
      ...judged.reasons,
      ...(missing.length === 0 ? [] : [`not measured: ${missing.join(', ')}`]),
    ],
    rules: judged.rules.map(asMeasured),
  };
}
