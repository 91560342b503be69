import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import { type CellFacts, emptySamples, OUTCOME, type Samples, UNSERVED } from '../../lib/records/load/load.ts';
import { someFacts } from './a-cell-report.ts';
import type { MadeArrival } from './k6-csv.ts';

export interface ACell {
  readonly facts: CellFacts;
  readonly samples: Samples;
}

type Changes = Partial<Omit<CellFacts, 'plan' | 'generator' | 'readBack'>> & {
  readonly plan?: Partial<CellFacts['plan']>;
  readonly generator?: Partial<CellFacts['generator']>;
  readonly readBack?: Partial<CellFacts['readBack']>;
};

/** Kinds that the made arrivals with a status other than 204 stand for. */
const KINDS: Readonly<Record<number, CellFacts['failures'][number]['kind']>> = {
  0: 'transport',
  409: 'state',
  401: 'auth',
  500: 'server-error',
};

function samplesOf(arrivals: readonly MadeArrival[], periodUs: number, statuses: readonly number[]): Samples {
  const samples = emptySamples(arrivals.length);
  let seq = 0;
  for (const [tick, { dropped, lagUs = 500, serviceUs = 2000, status = 204 }] of arrivals.entries()) {
    samples.dueUs[tick] = tick * periodUs;
    const served = dropped !== true;
    samples.lagUs[tick] = served ? lagUs : UNSERVED;
    samples.serviceUs[tick] = served ? serviceUs : UNSERVED;
    samples.responseUs[tick] = served ? lagUs + serviceUs : UNSERVED;
    samples.seq[tick] = served ? seq++ : UNSERVED;
    const failure = statuses.indexOf(status);
    samples.outcome[tick] = served ? (failure < 0 ? OUTCOME.success : OUTCOME.firstFailure + failure) : OUTCOME.dropped;
  }
  return samples;
}

/** A cell of five seconds at 250/s, of which the first is warm-up: all in order unless the arrivals or the changes say otherwise. */
export function aCell(
  arrivals: (tick: number) => MadeArrival = () => ({}),
  changes: Changes = {},
  durationSeconds = 5,
): ACell {
  const usual = someFacts();
  const plan = {
    ...usual.plan,
    ...{ durationSeconds, warmupSeconds: 1, connections: 100, timeoutMs: 2000, poolSize: 20_000, reuseSeconds: 80 },
    ...changes.plan,
  };
  const made = Array.from({ length: plan.targetPerSecond * plan.durationSeconds }, (_, tick) => arrivals(tick));
  const started = made.filter(({ dropped }) => dropped !== true);
  const statuses = [...new Set(started.map(({ status = 204 }) => status).filter((status) => status !== 204))];
  const failures = statuses.map((status) => ({
    kind: KINDS[status] ?? ('unexpected-status' as const),
    status,
    errorCode: '',
    count: started.filter((arrival) => arrival.status === status).length,
  }));
  const counts = { started: started.length, dropped: made.length - started.length, recorded: started.length };
  const failed = (changes.failures ?? failures).reduce((sum, { count }) => sum + count, 0);
  const succeeded = (changes.counts?.started ?? started.length) - failed;
  const clears = changes.operation?.startsWith('clear') === true;
  const totals = { totalBefore: clears ? succeeded : 0, totalAfter: clears ? 0 : succeeded };
  const swap = { k6Kb: 0, collectorKb: 0, systemPages: 0 };
  const facts: CellFacts = {
    ...usual,
    counts: { scheduled: made.length, ...counts, exceptions: 0 },
    failures,
    ...changes,
    plan,
    generator: { ...usual.generator, cores: 2, swap, ...changes.generator },
    readBack: { sampled: 20, proven: 20, mismatches: [], ...totals, ...changes.readBack },
  };
  return { facts, samples: samplesOf(made, 1e6 / plan.targetPerSecond, statuses) };
}

/** What the judge says of a cell: its report, verdict, reasons as one text, and the rules that do not hold. */
export function judged({ facts, samples }: ACell) {
  const report = judgeCell(facts, samples);
  const broken = report.rules.filter(({ holds }) => holds === false).map(({ id }) => id);
  return { report, verdict: report.verdict, reasons: report.reasons.join('\n'), broken };
}
