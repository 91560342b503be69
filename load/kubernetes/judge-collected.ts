import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import type { CellFacts, CellRule } from '../../lib/records/load/load.ts';
import type { Samples } from '../../lib/records/load/samples.ts';
import { type CollectedEvidence, generatorOf } from './evidence.ts';
import { type GivenEvidence, gatherRunners } from './gather.ts';
import type { RunnerFile } from './runner-file.ts';
import type { TestRun } from './test-run-schema.ts';

/** Each kind of evidence beside the rows in words, how it is given, and the rules that nothing else decides. */
const EVIDENCE = {
  pods: { what: 'how the runners ended', by: ' (--pods)', rules: ['k6-ended'] },
  probes: {
    what: 'what the runners used',
    by: ' (POD.probe beside the rows)',
    rules: ['k6-cpu', 'k6-cpu-max', 'swap', 'throttled', 'same-program'],
  },
  clockStepMs: { what: 'the clock of the runners', by: '', rules: ['clock'] },
  readBack: {
    what: 'what the endpoints hold',
    by: ' (load --cluster reads them back)',
    rules: [
      ...['read-back-done', 'effect-proven', 'effect-proven-in-flight', 'totals-agree', 'reconciled'],
      'policies-proven',
    ],
  },
} as const satisfies Record<keyof CollectedEvidence, object>;

/** Evidence that was not given. */
export const missingEvidence = (evidence: CollectedEvidence) =>
  (Object.keys(EVIDENCE) as (keyof CollectedEvidence)[]).flatMap((kind) =>
    evidence[kind] === undefined ? [{ kind, ...EVIDENCE[kind] }] : [],
  );

/**
 * Judges what runners wrote as far as the evidence goes: met needs all of it, and a reason names what is missing. What is there
 * may show the target at fault, where it shows the generators in order. A rule about the process that reads a stream does not apply.
 */
export function judgeCollected(
  facts: Pick<CellFacts, 'profile' | 'operation' | 'plan' | 'counts' | 'failures' | 'segments'>,
  samples: Samples,
  evidence: CollectedEvidence = {},
) {
  // Stand-ins for what nobody measured let the other rules be judged.
  const generator = generatorOf(evidence);
  const readBack = { sampled: 1, proven: 1, mismatches: [], totalBefore: null, totalAfter: null };
  const whole: CellFacts = {
    ...{ ...facts, id: `${facts.profile}-${facts.operation}-1`, depth: 'normal', attempt: 1, startedAt: '', generator },
    readBack: evidence.readBack ?? readBack,
  };
  const { verdict, reasons, rules, serviceTime, responseTime } = judgeCell(whole, samples);
  const missing = missingEvidence(evidence);
  const open: ReadonlySet<string> = new Set(missing.flatMap((one) => one.rules));
  const asMeasured = (rule: CellRule): CellRule =>
    rule.holds === null || !open.has(rule.id)
      ? rule
      : { ...rule, measured: 'not measured', holds: false, effect: 'invalid' };
  const lacks = missing.map(({ what, by }) => what + by).join(', ');
  return {
    verdict: verdict === 'met' && missing.length > 0 ? ('invalid' as const) : verdict,
    reasons: [...generator.warnings, ...reasons, ...(lacks === '' ? [] : [`not measured: ${lacks}`])],
    rules: rules.map(asMeasured),
    ...{ serviceTime, responseTime },
  };
}

/** Adds up what the runners of one TestRun wrote, and judges it. Throws `ResultsError` as `gatherRunners` does. */
export function collectRunners(files: readonly RunnerFile[], manifest: TestRun, given: GivenEvidence = {}) {
  const { samples, evidence, startSpreadMs, startUs: _, ramp: _ramp, ...facts } = gatherRunners(files, manifest, given);
  const { profile, operation, counts, failures } = facts;
  const judged = judgeCollected(facts, samples, evidence);
  return { ...{ profile, operation, counts, failures, startSpreadMs }, ...judged, segments: files.length };
}
