import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import { reasonOf } from '../../lib/judge/cell/rule.ts';
import type { CellFacts, CellReport, CellRule } from '../../lib/records/load.ts';
import type { Samples } from '../../lib/records/samples.ts';
import type { RunnerPod } from './pods.ts';
import type { ProbeFacts } from './probe.ts';

const UNMEASURED = 'not measured';

/** Share of the time that a pod may be held back by its CPU limit: a tenth of the lag that is allowed, each 100 ms. */
const MOST_THROTTLED = 0.01;

/** Rules that the rows of the runners decide. */
const BY_ROWS = [
  ...['ran', 'stream-whole', 'counts-agree', 'record-consistent', 'schedule-whole', 'no-exceptions', 'window', 'reuse'],
  ...['lag', 'lag-max', 'common-start', 'no-drops', 'no-failures', 'rate-held', 'in-flight-stable', 'in-flight-at-end'],
];
const BY_PROBES = ['k6-cpu', 'k6-cpu-max', 'swap', 'throttled'];
const BY_READ_BACK = ['read-back-done', 'effect-proven', 'effect-proven-in-flight', 'totals-agree', 'reconciled'];
/** Runners write files: nothing reads a stream while they run, so that nothing can fall behind. */
const NOT_APPLICABLE: ReadonlySet<string> = new Set(['collector-cpu', 'event-loop']);

/** What is known of the generators besides their rows, and of the endpoints. What is absent was not measured. */
export interface CollectedEvidence {
  /** One for each runner. */
  readonly pods?: readonly RunnerPod[];
  readonly probes?: readonly ProbeFacts[];
  /** Largest step of the wall clock against k6's own, milliseconds. */
  readonly clockStepMs?: number;
  readonly readBack?: CellFacts['readBack'];
}

/** What of the facts the files of runners and their manifest show. */
export type CollectedFacts = Pick<CellFacts, 'profile' | 'operation' | 'plan' | 'counts' | 'failures' | 'segments'>;

/** Verdict, reasons and rules of a cell that ran on other machines. */
export type CollectedVerdict = Pick<CellReport, 'verdict' | 'reasons' | 'rules'>;

/** The busiest runner decides: shares are of what each may use. */
function generatorOf({ pods, probes, clockStepMs }: CollectedEvidence): CellFacts['generator'] {
  const cores = Math.min(...(probes ?? []).map((probe) => probe.cores), Number.MAX_SAFE_INTEGER);
  const worst = (share: (probe: ProbeFacts) => number) =>
    Math.max(0, ...(probes ?? []).map((probe) => share(probe) / probe.cores)) * (probes === undefined ? 0 : cores);
  const bad = pods?.find(({ exitCode, faults }) => exitCode !== 0 || faults.length > 0);
  const badProbe = probes?.find(({ exitCode }) => exitCode !== 0);
  const [first] = probes ?? [];
  return {
    k6Version: '',
    k6Sha256: first?.k6Sha256 ?? '',
    bundleSha256: first?.scriptSha256 ?? '',
    exitCode: bad === undefined ? (badProbe === undefined ? 0 : badProbe.exitCode) : (bad.exitCode ?? null),
    signal:
      bad?.faults.find((fault) => fault === 'OOMKilled') ?? (bad?.exitCode === 0 ? (bad.faults[0] ?? null) : null),
    streamComplete: true,
    k6CpuMean: worst((probe) => probe.cpuMean),
    k6CpuMax: worst((probe) => probe.cpuMax),
    collectorCpuMean: 0,
    eventLoopDelayP99Ms: 0,
    cores: probes === undefined ? 1 : cores,
    clockStepMs: clockStepMs ?? 0,
    ...(probes === undefined
      ? {}
      : {
          swap: { k6Kb: probes.reduce((sum, { swapKb }) => sum + swapKb, 0), collectorKb: 0, systemPages: null },
        }),
    warnings: [],
  };
}

/** The facts of a cell, with stand-ins for what nobody measured: they let the other rules be judged, and `asMeasured` takes them back. */
function withEvidence(facts: CollectedFacts, evidence: CollectedEvidence): CellFacts {
  return {
    ...facts,
    id: `${facts.profile}-${facts.operation}-1`,
    ...{ tier: 'nightly', attempt: 1, startedAt: '', generator: generatorOf(evidence) },
    readBack: evidence.readBack ?? { sampled: 1, proven: 1, mismatches: [], totalBefore: null, totalAfter: null },
  };
}

function throttledRule(probes: readonly ProbeFacts[] | undefined): CellRule {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const shares = (probes ?? []).map(({ throttled }) => throttled);
  const known = shares.flatMap((share) => (share === null ? [] : [share]));
  const shown = known.length === shares.length && known.length > 0;
  const worst = Math.max(0, ...known);
  return {
    id: 'throttled',
    text: 'time that a runner was held back by its CPU limit',
    measured: shown ? percent(worst) : UNMEASURED,
    limit: `at most ${percent(MOST_THROTTLED)}`,
    holds: shown && worst <= MOST_THROTTLED,
    effect: 'invalid',
  };
}

/** One version of k6 and of the scenario ran everywhere. */
function sameProgramRule(probes: readonly ProbeFacts[] | undefined): CellRule {
  const programs = new Set((probes ?? []).map(({ k6Sha256, scriptSha256 }) => `${k6Sha256} ${scriptSha256}`));
  const known = probes?.every(({ k6Sha256 }) => k6Sha256 !== '') === true;
  return {
    id: 'same-program',
    text: 'all runners ran the same k6 and the same scenario',
    measured: known ? `${programs.size}` : UNMEASURED,
    limit: '1',
    holds: known && programs.size === 1,
    effect: 'invalid',
  };
}

/** What would have to be given for the rules that nobody measured. */
function missingEvidence({ pods, probes, clockStepMs, readBack }: CollectedEvidence): string[] {
  return [
    ...(pods === undefined ? ['how the runners ended (--pods)'] : []),
    ...(probes === undefined ? ['what the runners used (--probes)'] : []),
    ...(probes?.some(({ throttled }) => throttled === null) ? ['whether the runners were throttled'] : []),
    ...(probes?.some(({ k6Sha256 }) => k6Sha256 === '') ? ['which k6 the runners ran'] : []),
    ...(clockStepMs === undefined ? ['the clock of the runners'] : []),
    ...(readBack === undefined ? ['what the endpoints hold (--read-back)'] : []),
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
  const asMeasured = (rule: CellRule): CellRule => {
    if (NOT_APPLICABLE.has(rule.id)) return { ...rule, measured: 'not applicable: runners write files', holds: null };
    return measured.has(rule.id) ? rule : { ...rule, measured: UNMEASURED, holds: false, effect: 'invalid' };
  };
  const own = [throttledRule(probes), sameProgramRule(probes)];
  const broken = own.filter(({ holds, measured: value }) => holds === false && value !== UNMEASURED);
  const missing = missingEvidence(evidence);
  return {
    verdict: broken.length > 0 || (judged.verdict === 'met' && missing.length > 0) ? 'invalid' : judged.verdict,
    reasons: [
      ...(pods ?? []).flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`)),
      ...broken.map(reasonOf),
      ...judged.reasons,
      ...(missing.length === 0 ? [] : [`not measured: ${missing.join(', ')}`]),
    ],
    rules: [...judged.rules.map(asMeasured), ...own],
  };
}
