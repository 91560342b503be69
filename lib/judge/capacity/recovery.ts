import type { Recovery } from '../../records/load/capacity.ts';
import type { Bucket, CellReport } from '../../records/load/load.ts';

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
