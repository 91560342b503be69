import { confirmationOf } from '../../lib/judge/capacity/capacity-answer.ts';
import { slowness, type Trial } from '../../lib/judge/capacity/trial.ts';
import { seededRandom } from '../../lib/random.ts';
import { type FindOptions, findCapacity, type RunStep } from '../../load/capacity/find-capacity.ts';
import { STOP_AFTER_SECONDS, stepSeconds } from '../../load/capacity/step-cell.ts';

const CONNECTIONS = 100;
const SLOT_SECONDS = 0.01;
/** Shorter times without an answer are no stall, milliseconds. */
const LEAST_STALL_MS = 100;

/** Takes what the target gets done in a slot of time, given what waits; clock in seconds since the search began. */
type Serve = (atSeconds: number, waiting: number, slotSeconds: number) => number;

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
export function fluidTarget(serve: Serve, pauseSeconds = 2, idle: (seconds: number) => void = () => {}): RunStep {
  let now = 0;
  return async ({ ratePerSecond, purpose, near, seconds = stepSeconds(near, ratePerSecond) }) => {
    const found = runSlots(serve, { purpose, rate: ratePerSecond, seconds, connections: CONNECTIONS, from: now });
    now += (found.seconds ?? seconds) + pauseSeconds;
    idle(pauseSeconds);
    return { ratePerSecond, purpose, seconds, outcome: 'invalid', ...found };
  };
}

/** What a step costs beside its measured seconds: k6, preparation, looks. */
const OVERHEAD_SECONDS = 5;

type Random = () => number;
const between = (random: Random, low: number, high: number) => low * (high / low) ** random();

/** A target whose limit is drawn, with the rate that it sustains. */
interface Subject {
  readonly truth: number;
  readonly runStep: RunStep;
}

const fluid = (truth: number, serve: Serve): Subject => ({ truth, runStep: fluidTarget(serve, OVERHEAD_SECONDS) });

/** Tokens that are full at first and refilled all the time, also between steps. */
export function bucket(perSecond: number, size: number, pauseSeconds = OVERHEAD_SECONDS): Subject {
  let tokens = size;
  const refill = (seconds: number) => {
    tokens = Math.min(size, tokens + perSecond * seconds);
  };
  const serve = (_at: number, waiting: number, slot: number) => {
    refill(slot);
    const done = Math.min(waiting, tokens);
    tokens -= done;
    return done;
  };
  return { truth: perSecond, runStep: fluidTarget(serve, pauseSeconds, refill) };
}

/** A target that answers errors above a limit, and tells nothing of what it could do. */
function cliff(limit: (step: number) => number): RunStep {
  let step = 0;
  return async (request) => {
    const { ratePerSecond, purpose, near } = request;
    const asked = request.seconds ?? stepSeconds(near, ratePerSecond);
    step += 1;
    const seconds = ratePerSecond <= limit(step) ? asked : Math.min(asked, STOP_AFTER_SECONDS);
    return { ratePerSecond, purpose, seconds, outcome: ratePerSecond <= limit(step) ? 'held' : 'failed' };
  };
}

/** A step of five seconds holds with a logistic probability; the truth is the rate that 95 of 100 hold. */
function noisy(random: Random, width: number): Subject {
  const middle = between(random, 300, 2000);
  const runStep: RunStep = async (request) => {
    const { ratePerSecond, purpose, near } = request;
    const asked = request.seconds ?? stepSeconds(near, ratePerSecond);
    const share = 1 / (1 + Math.exp((ratePerSecond / middle - 1) / width));
    for (let at = 0; at < asked; at += 5) {
      if (random() < share) continue;
      const seconds = purpose === 'confirm' ? Math.min(asked, at + STOP_AFTER_SECONDS) : asked;
      return { ratePerSecond, purpose, seconds, outcome: 'failed' };
    }
    return { ratePerSecond, purpose, seconds: asked, outcome: 'held' };
  };
  return { truth: middle * (1 - width * Math.log(19)), runStep };
}

/** The kinds of target that searches are simulated on. */
export const SUBJECTS: Readonly<Record<string, (random: Random) => Subject>> = {
  'sharp limit': (random) => {
    const limit = between(random, 150, 2000);
    return fluid(limit, (_at, waiting, slot) => Math.min(waiting, limit * slot));
  },
  'token bucket': (random) => bucket(between(random, 150, 1000), between(random, 500, 10_000)),
  'reserve of 3,000 above 600/s': () => bucket(600, 3000),
  'stalls of 0.5 s in 10 s': (random) => {
    const shift = 10 * random();
    return fluid(200, (at, waiting, slot) => ((at + shift) % 10 < 0.5 ? 0 : Math.min(waiting, 900 * slot)));
  },
  'waves of 30 s': (random) => {
    const [high, shift] = [between(random, 300, 1500), 30 * random()];
    const low = high * 0.7;
    return fluid(Math.min(high, low + CONNECTIONS / 10), (at, waiting, slot) =>
      Math.min(waiting, ((at + shift) % 30 < 10 ? low : high) * slot),
    );
  },
  'cliff of errors': (random) => {
    const limit = between(random, 150, 2000);
    return { truth: limit, runStep: cliff(() => limit) };
  },
  collapse: (random) => {
    const limit = between(random, 150, 2000);
    return fluid(
      limit,
      (_at, waiting, slot) => (waiting > 0.9 * CONNECTIONS ? 0.3 : 1) * Math.min(waiting, limit * slot),
    );
  },
  'chance, 2 % wide': (random) => noisy(random, 0.02),
  'chance, 5 % wide': (random) => noisy(random, 0.05),
};

/** Time that the steps of a search took. */
const minutesOf = (trials: readonly Trial[]): number =>
  trials.reduce(
    (sum, { seconds = 0, ratePerSecond }) => sum + seconds + OVERHEAD_SECONDS + CONNECTIONS / ratePerSecond,
    0,
  ) / 60;

/** Simulates so many searches of a kind, with seeds of their own. */
export async function simulate(
  kind: string,
  searches: number,
  options: Omit<FindOptions, 'secondsLeft'> & { readonly forSeconds: number },
) {
  const found = await Promise.all(
    Array.from({ length: searches }, async (_, seed) => {
      const random = seededRandom(seed + 1);
      const { truth, runStep } = (SUBJECTS[kind] as (random: Random) => Subject)(random);
      const clocked: Trial[] = [];
      const secondsLeft = () => options.forSeconds - 60 * minutesOf(clocked);
      const trials = await findCapacity({ ...options, secondsLeft }, async (request) => {
        const trial = await runStep(request);
        clocked.push(trial);
        return trial;
      });
      const confirmed = confirmationOf(trials);
      const share = confirmed?.outcome === 'held' ? confirmed.ratePerSecond / truth : null;
      return { share, minutes: minutesOf(trials) };
    }),
  );
  const shares = found.flatMap(({ share }) => share ?? []).sort((a, b) => a - b);
  const minutes = found.map((one) => one.minutes).sort((a, b) => a - b);
  const at = (values: readonly number[], p: number) => values[Math.floor(p * values.length)] ?? Number.NaN;
  return {
    searches,
    /** Claims above 102 % of the truth, and searches without a claim, as shares of all. */
    tooHigh: shares.filter((share) => share > 1.02).length / searches,
    none: 1 - shares.length / searches,
    /** Claims as shares of the truth: median, and the one that one of twenty lies below. */
    median: at(shares, 0.5),
    low: at(shares, 0.05),
    medianMinutes: at(minutes, 0.5),
    longestMinutes: minutes.at(-1) ?? Number.NaN,
  };
}
