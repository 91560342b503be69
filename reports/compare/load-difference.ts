import { isSizedByLatency } from '../../lib/judge/cell/sizing.ts';
import type { CellFacts } from '../../lib/records/load/load.ts';
import { type Blocks, percentileOf, varianceOfPercentile } from '../../lib/stats/block-interval.ts';
import { hasFewSamples } from '../../lib/stats/percentile.ts';
import { meanOf, studentQuantile, varianceOf, welchDf } from '../../lib/stats/spread.ts';
import { counted } from '../../lib/text.ts';

function loadedWith(facts: CellFacts) {
  const { plan, depth, ramp, segments, generator } = facts;
  return {
    rate: `${plan.targetPerSecond}/s`,
    connections: isSizedByLatency(facts) ? 'as the latency needs' : String(plan.connections),
    depth,
    seconds: String(plan.durationSeconds),
    'warm-up': `${plan.warmupSeconds} s`,
    'ramp-up': `${ramp?.seconds ?? 0} s`,
    timeout: `${plan.timeoutMs} ms`,
    sessions: String(plan.sessions),
    pool: counted(plan.poolSize, 'endpoint'),
    generator: `k6 ${generator.k6Version}, scenario ${generator.bundleSha256.slice(0, 8)}`,
    segments: String(segments?.of ?? 1),
    processors: String(generator.cores),
  } satisfies Readonly<Record<string, string>>;
}

/** In what cells were not loaded alike, one sentence for each; none if they can be compared. */
export function loadDifferences(cells: readonly CellFacts[]): readonly string[] {
  const all = cells.map(loadedWith);
  const [first] = all;
  if (first === undefined) return [];
  return (Object.keys(first) as (keyof typeof first)[]).flatMap((name) => {
    const found = [...new Set(all.map((facts) => facts[name]))];
    return found.length < 2 ? [] : [`${name}: ${found.join(' against ')}`];
  });
}

const COMPARED = { p50: 0.5, p90: 0.9, p99: 0.99 } as const;
const NAMES = Object.keys(COMPARED) as readonly (keyof typeof COMPARED)[];

/** Each cell has two latencies with three percentiles: each interval is wide enough for all of them to be right in 95 of 100. */
const COMPARISONS = 6;
const LEVEL = 1 - 0.05 / COMPARISONS / 2;
/** With few runs on a side nothing tells how far two of the same lie apart: less than this is not even named. */
const FEW_RUNS_SHARE = 0.03;
const FEW_RUNS_MS = 0.25;

/** Runs on each side from which their spread tells what runs of the same differ by. */
export const FEWEST_RUNS = 3;

/** `differs`: these runs do, but nothing tells how far two runs of the same lie apart. */
type DifferenceVerdict = 'better' | 'worse' | 'differs' | 'no difference shown';

function sideOf(runs: readonly Blocks[], p: number) {
  const perRun = runs.map((blocks) => percentileOf(blocks, p));
  const within = runs.map((blocks) => varianceOfPercentile(blocks, p));
  return { value: meanOf(perRun), perRun, withinVariance: meanOf(within) / runs.length };
}

type Side = ReturnType<typeof sideOf>;

/** Half width of the interval: what varies within the runs, and between them where there are several, whichever is more. */
function halfWidth(a: Side, b: Side, blocks: number): number {
  const within = Math.sqrt(a.withinVariance + b.withinVariance) * studentQuantile(LEVEL, 2 * (blocks - 1));
  if (a.perRun.length < 2 || b.perRun.length < 2) return Math.max(within, FEW_RUNS_SHARE * a.value, FEW_RUNS_MS);
  const between = Math.sqrt(varianceOf(a.perRun) / a.perRun.length + varianceOf(b.perRun) / b.perRun.length);
  return Math.max(within, between * studentQuantile(LEVEL, Math.max(1, welchDf(a.perRun, b.perRun))));
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function verdictOf(difference: number, half: number, enoughRuns: boolean): DifferenceVerdict {
  const size = Math.abs(difference);
  // No number is above another: both sides lose as many arrivals, or one side reaches into the unserved, so that nothing bounds it.
  const isShown = size === Number.POSITIVE_INFINITY || size > half;
  if (!isShown) return 'no difference shown';
  if (!enoughRuns) return 'differs';
  return difference > 0 ? 'worse' : 'better';
}

/** Differences of all compared percentiles of one latency, milliseconds; several runs on a side stand for each other. */
export function differences(latency: 'service' | 'response', before: readonly Blocks[], after: readonly Blocks[]) {
  const samples = Math.min(...[...before, ...after].map(({ count }) => count));
  return NAMES.map((percentile) => {
    const [a, b] = [sideOf(before, COMPARED[percentile]), sideOf(after, COMPARED[percentile])];
    const difference = b.value - a.value;
    const half = halfWidth(a, b, before[0]?.parts.length ?? 2);
    const bounded = Number.isFinite(difference) && Number.isFinite(half);
    return {
      latency,
      percentile,
      /** Null, as all below: more arrivals were unserved than the percentile leaves room for. */
      beforeMs: finite(a.value),
      afterMs: finite(b.value),
      differenceMs: finite(difference),
      intervalMs: bounded ? ([difference - half, difference + half] as const) : null,
      /** A difference of this size would have been shown. */
      smallestShownMs: finite(half),
      verdict: verdictOf(difference, half, Math.min(before.length, after.length) >= FEWEST_RUNS),
      /** False if too few samples lie above the percentile for it to decide anything. */
      decides: samples > 0 && !hasFewSamples(samples, COMPARED[percentile]),
    };
  });
}
export type Difference = ReturnType<typeof differences>[number];
