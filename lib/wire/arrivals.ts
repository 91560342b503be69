/** How arrivals lie in time: at equal distances, or at random as independent callers come. */
export const ARRIVALS = ['even', 'poisson'] as const;
export type Arrivals = (typeof ARRIVALS)[number];

/** Arrivals of one Poisson cell at most: each is two stages of k6's schedule, and k6 reads them all before it starts. */
export const MOST_POISSON_ARRIVALS = 250_000;

const US = 1e6;
/** k6 takes whole numbers of arrivals in a unit of time: in so long a one, a rate is exact to a millionth even over a second. */
const UNIT_US = 1e12;
/** An arrival that is short of a whole one by a billionth would wait for the next stage: each has a little more. */
const MARGIN = 1e-6;

/** The rate and the stretches of a cell, seconds: each stretch has exactly its share of arrivals. */
export interface PoissonShape {
  readonly ratePerSecond: number;
  /** Ends of the stretches, ascending: of the warm-up, of the measured window, of the tail. */
  readonly endsSeconds: readonly number[];
  readonly seed: number;
}

/** Numbers in [0, 1) by their place: a finalizer of 32 bits (murmur3), the same in k6 and in Node. */
function uniform(seed: number, place: number): number {
  let bits = (Math.imul(seed | 0, 0x9e3779b1) + Math.imul(place + 1, 0x85ebca77)) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 4_294_967_296;
}

/**
 * Intended starts of Poisson arrivals since the start of the schedule, whole microseconds, ascending and never equal. Within each
 * stretch their number is the rate's, and their places are independent and uniform: that is a Poisson process of which the number is
 * known, so that a cell offers exactly its rate. The same shape gives the same starts, in k6 and in the record.
 */
export function poissonDues({ ratePerSecond, endsSeconds, seed }: PoissonShape): Float64Array {
  const upTo = (seconds: number) => Math.ceil(ratePerSecond * seconds - 1e-6);
  const dues = new Float64Array(upTo(endsSeconds.at(-1) ?? 0));
  let [from, first] = [0, 0];
  for (const to of endsSeconds) {
    const last = upTo(to);
    for (let place = first; place < last; place += 1) {
      dues[place] = Math.floor((from + (to - from) * uniform(seed, place)) * US);
    }
    dues.subarray(first, last).sort();
    [from, first] = [to, last];
  }
  for (let place = 1; place < dues.length; place += 1) {
    dues[place] = Math.max(dues[place] ?? 0, (dues[place - 1] ?? 0) + 1);
  }
  return dues;
}

/** One stage of k6's `ramping-arrival-rate`. */
interface Stage {
  readonly target: number;
  readonly duration: string;
}

/** A schedule of single arrivals as k6 takes one. */
export interface PoissonStages {
  readonly timeUnit: string;
  readonly stages: readonly Stage[];
}

/**
 * Stages that make k6 start an arrival at each of these moments: between two of them the rate is one arrival in that time. So a busy
 * connection, a late start and a dropped arrival are what they are with even arrivals; waiting inside an iteration would hold a
 * connection for nothing.
 */
export function poissonStages(dues: Float64Array, endSeconds: number): PoissonStages {
  const stages: Stage[] = [];
  const hold = (target: number, us: number) => stages.push({ target, duration: '0s' }, { target, duration: `${us}us` });
  let [last, surplus] = [0, 0];
  for (const due of dues) {
    const gap = Math.max(1, due - last);
    const target = Math.ceil(((1 + MARGIN - surplus) * UNIT_US) / gap);
    surplus += (target * gap) / UNIT_US - 1;
    hold(target, gap);
    last += gap;
  }
  hold(0, Math.max(1, Math.ceil(endSeconds * US) - last));
  return { timeUnit: `${UNIT_US / US}s`, stages };
}
