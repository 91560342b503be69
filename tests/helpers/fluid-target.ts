import type { Trial } from '../../lib/judge/capacity/trial.ts';
import type { RunStep } from '../../load/capacity/find-capacity.ts';
import { stepSeconds } from '../../load/capacity/step-cell.ts';

const SLOT_SECONDS = 0.01;
/** Share of the seconds since the first short one that are whole again in a target that recovers. */
const RECOVERED = 0.25;

/** Takes what the target gets done in a slot of time, given what waits; clock in seconds since the search began. */
export type Serve = (atSeconds: number, waiting: number, slotSeconds: number) => number;

/** What one step of a target shows that gets done what `serve` says, with so many connections to wait on; `from` in seconds. */
function runSlots(serve: Serve, rate: number, seconds: number, connections: number, from: number): Partial<Trial> {
  const dropped = new Float64Array(Math.ceil(seconds));
  let waiting = 0;
  for (let slot = 0; slot * SLOT_SECONDS < seconds - 1e-9; slot += 1) {
    const at = slot * SLOT_SECONDS;
    waiting += rate * SLOT_SECONDS;
    waiting -= serve(from + at, waiting, SLOT_SECONDS);
    const over = Math.max(0, waiting - connections);
    dropped[Math.floor(at)] = (dropped[Math.floor(at)] ?? 0) + over;
    waiting -= over;
  }
  const isShort = (drops: number) => drops >= 1;
  const first = dropped.findIndex(isShort);
  if (first === -1) return { outcome: 'held' };
  const done = Array.from(dropped, (drops) => rate - drops);
  const tail = done.slice(-Math.ceil(done.length / 3));
  const since = Array.from(dropped.slice(first));
  const isFarBelow = Math.min(...done) < 0.9 * rate;
  const recovers = isFarBelow && since.filter((drops) => !isShort(drops)).length >= RECOVERED * since.length;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    ...{ outcome: 'failed', carriedPerSecond: mean(done), tailPerSecond: mean(tail), heldSeconds: first },
    ...{ worstPerSecond: Math.min(...done), ...(recovers ? { recovers } : {}) },
  };
}

/** A target of a search, on a clock of its own; `idle` is told of the seconds between two steps. */
export function fluidTarget(
  serve: Serve,
  { connections = 100, pauseSeconds = 2, idle = () => {} }: FluidOptions = {},
): RunStep {
  let now = 0;
  return async ({ ratePerSecond, purpose, near, seconds = stepSeconds(near, ratePerSecond) }) => {
    const found = runSlots(serve, ratePerSecond, seconds, connections, now);
    now += seconds + pauseSeconds;
    idle(pauseSeconds);
    return { ratePerSecond, purpose, seconds, outcome: 'invalid', ...found };
  };
}

interface FluidOptions {
  readonly connections?: number;
  readonly pauseSeconds?: number;
  readonly idle?: (seconds: number) => void;
}
