import type { Recovery } from '../../records/load/capacity.ts';
import type { Bucket, CellReport } from '../../records/load/load.ts';
import type { AtEnd } from '../../records/load/parts.ts';
import { meanOf } from '../../stats/spread.ts';

/** p99 is back in the first of so many seconds in a row in which it is at most this many times what was usual, with an allowance. */
const IN_A_ROW = 3;
const TIMES_USUAL = 1.5;
const ALLOWANCE_MS = 5;

const within = (buckets: readonly Bucket[], from: number, to: number) =>
  buckets.filter(({ startSeconds }) => startSeconds >= from && startSeconds < to);

function backAt(buckets: readonly Bucket[], limitMs: number): number | null {
  const back = buckets.map(({ responseP99Ms }) => responseP99Ms !== null && responseP99Ms <= limitMs);
  const first = back.findIndex((_, at) => at + IN_A_ROW <= back.length && back.slice(at, at + IN_A_ROW).every(Boolean));
  return first < 0 ? null : (buckets[first]?.startSeconds ?? null);
}

/** Seconds until the response time is back at the highest p99 of a second before the overload; null if no recovery was tried. */
export function recoveryOf(cells: readonly CellReport[]): Recovery | null {
  const cell = cells.at(-1);
  const { warmupSeconds = 0, stretches } = cell?.facts.plan ?? {};
  const [usual, over, after] = stretches?.slice(-3) ?? [];
  if (cell === undefined || usual === undefined || over === undefined || after === undefined) return null;
  const overAt = warmupSeconds + usual.seconds;
  const afterAt = overAt + over.seconds;
  const before = within(cell.buckets, warmupSeconds, overAt).map(({ responseP99Ms }) => responseP99Ms);
  const usualP99Ms = before.length === 0 || before.includes(null) ? null : Math.max(...before.map(Number));
  const limitMs = usualP99Ms === null ? null : TIMES_USUAL * usualP99Ms + ALLOWANCE_MS;
  const valid = cell.verdict !== 'invalid';
  const found =
    limitMs === null || !valid ? null : backAt(within(cell.buckets, afterAt, Number.POSITIVE_INFINITY), limitMs);
  const unserved = (from: number, to: number) => {
    const buckets = within(cell.buckets, from, to);
    const sum = (key: 'scheduled' | 'succeeded') => buckets.reduce((total, bucket) => total + bucket[key], 0);
    return sum('scheduled') === 0 ? 0 : 1 - sum('succeeded') / sum('scheduled');
  };
  return {
    ...{ cell: cell.id, overPerSecond: over.ratePerSecond, overSeconds: over.seconds },
    afterPerSecond: after.ratePerSecond,
    ...{ limitMs, valid, watchedSeconds: after.seconds },
    seconds: found === null ? null : found - afterAt,
    unserved: unserved(overAt, afterAt),
    unservedAfter: unserved(afterAt + (2 / 3) * after.seconds, Number.POSITIVE_INFINITY),
  };
}

const FULL = 0.95;
/** Steps up to this share of the highest rate that held are far below the knee. */
const FAR_BELOW = 0.8;
const MOST = 0.8;

/** Mean of a series in the measured window of a step; undefined without a value there. */
function meanIn({ facts }: CellReport, name: string): number | undefined {
  const { warmupSeconds, durationSeconds } = facts.plan;
  const points = facts.series?.find((series) => series.name === name)?.points ?? [];
  const values = points.flatMap(([at, value]) => (at >= warmupSeconds && at <= durationSeconds ? [value] : []));
  return values.length === 0 ? undefined : meanOf(values);
}

/**
 * What was at its limit in the steps that were too much, and below it if far less was offered: what is always full
 * did not make the knee. Null without series; without a limit, or without steps on both sides, nothing is named.
 */
export function atEndOf(steps: readonly CellReport[]): AtEnd | null {
  const near = steps.filter(({ facts }) => facts.step?.purpose === 'search' || facts.step?.purpose === 'confirm');
  const series = new Map(
    near.flatMap(({ facts }) => (facts.series ?? []).map((one) => [one.name, one.limit] as const)),
  );
  if (series.size === 0) return null;
  const rateOf = ({ facts }: CellReport) => facts.plan.targetPerSecond;
  const held = near.filter(({ verdict }) => verdict === 'met');
  const highest = Math.max(...held.map(rateOf));
  const below = held.filter((step) => rateOf(step) <= FAR_BELOW * highest);
  const beyond = near.filter((step) => step.verdict === 'violated' && rateOf(step) > FAR_BELOW * highest);
  const means = (of: readonly CellReport[], name: string) => of.flatMap((step) => meanIn(step, name) ?? []);
  const seen = [...series].filter(([name]) => means(near, name).length > 0);
  const reached = seen.flatMap(([name, limit]): AtEnd['reached'] => {
    const [over, under] = [means(beyond, name), means(below, name)];
    if (limit === undefined || over.length === 0 || under.length === 0) return [];
    const isFull = (value: number) => value >= FULL * limit;
    const isReached = over.filter(isFull).length >= MOST * over.length && !under.some(isFull);
    return isReached ? [{ name, value: meanOf(over), limit }] : [];
  });
  return { series: seen.length, limited: seen.filter(([, limit]) => limit !== undefined).length, reached };
}
