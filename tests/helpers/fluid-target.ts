import { slowness, type Trial } from '../../lib/judge/capacity/trial.ts';
import type { RunStep } from '../../load/capacity/find-capacity.ts';
import { STOP_AFTER_SECONDS, stepSeconds } from '../../load/capacity/step-cell.ts';

const SLOT_SECONDS = 0.01;
/** Shorter times without an answer are no stall, milliseconds. */
const LEAST_STALL_MS = 100;

/** Takes what the target gets done in a slot of time, given what waits; clock in seconds since the search began. */
export type Serve = (atSeconds: number, waiting: number, slotSeconds: number) => number;

interface Shape {
  readonly purpose: Trial['purpose'];
  readonly rate: number;
  readonly seconds: number;
  readonly connections: number;
  /** On the clock of the search, seconds. */
  readonly from: number;
}

/** What one step of a target shows that gets done what `serve` says. */
function runSlots(serve: Serve, { purpose, rate, seconds, connections, from }: Shape): Partial<Trial> {
  const dropped = new Float64Array(Math.ceil(seconds));
  const stalls: { atSeconds: number; ms: number }[] = [];
  let [waiting, stallMs] = [0, 0];
  const endStall = (at: number) => {
    if (stallMs >= LEAST_STALL_MS) stalls.push({ atSeconds: at - stallMs / 1000, ms: stallMs });
    stallMs = 0;
  };
  for (let slot = 0; slot * SLOT_SECONDS < seconds - 1e-9; slot += 1) {
    const at = slot * SLOT_SECONDS;
    waiting += rate * SLOT_SECONDS;
    const done = serve(from + at, waiting, SLOT_SECONDS);
    if (done > 0) endStall(from + at);
    else stallMs += SLOT_SECONDS * 1000;
    waiting -= done;
    const over = Math.max(0, waiting - connections);
    dropped[Math.floor(at)] = (dropped[Math.floor(at)] ?? 0) + over;
    waiting -= over;
  }
  endStall(from + seconds);
  const seen = stalls.length === 0 ? {} : { stalls };
  const first = dropped.findIndex((drops) => drops >= 1);
  if (first === -1) return { outcome: 'held', seconds, ...seen };
  const lasted = purpose === 'confirm' ? Math.min(seconds, first + STOP_AFTER_SECONDS) : seconds;
  const buckets = Array.from(dropped.slice(0, lasted), (drops, startSeconds) => ({
    ...{ startSeconds, scheduled: rate, succeeded: drops >= 1 ? rate - drops : rate },
    achievedPerSecond: rate - drops,
  }));
  const inStall = (second: number) =>
    stalls.some(({ atSeconds: at, ms }) => second + from < at + ms / 500 && second + from + 1 > at);
  const stallLimited = buckets.every(({ succeeded }, second) => succeeded === rate || inStall(second));
  const carriedPerSecond = buckets.reduce((sum, bucket) => sum + bucket.succeeded, 0) / buckets.length;
  return {
    ...{ outcome: 'failed', seconds: lasted, carriedPerSecond, connections, ...seen },
    ...slowness(buckets, { ratePerSecond: rate, connections }),
    ...(stallLimited ? { stallLimited } : {}),
  };
}

/** A target of a search, on a clock of its own; `idle` is told of the seconds between two steps. */
export function fluidTarget(
  serve: Serve,
  { connections = 100, pauseSeconds = 2, idle = () => {} }: FluidOptions = {},
): RunStep {
  let now = 0;
  return async ({ ratePerSecond, purpose, near, seconds = stepSeconds(near, ratePerSecond) }) => {
    const found = runSlots(serve, { purpose, rate: ratePerSecond, seconds, connections, from: now });
    now += (found.seconds ?? seconds) + pauseSeconds;
    idle(pauseSeconds);
    return { ratePerSecond, purpose, seconds, outcome: 'invalid', ...found };
  };
}

interface FluidOptions {
  readonly connections?: number;
  readonly pauseSeconds?: number;
  readonly idle?: (seconds: number) => void;
}
