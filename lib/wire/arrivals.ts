/** How arrivals lie in time: at equal distances, or at random as independent callers come. */
export const ARRIVALS = ['even', 'poisson'] as const;
export type Arrivals = (typeof ARRIVALS)[number];

/** Arrivals at most where they are not one constant rate: each is two stages of k6's schedule, and k6 reads them all before it starts. */
export const MOST_SCHEDULED = 250_000;

const US = 1e6;
/** k6 takes whole numbers of arrivals in a unit of time: in so long a one, a rate is exact to a millionth even over a second. */
const UNIT_US = 1e12;
/** An arrival that is short of a whole one by a billionth would wait for the next stage: each has a little more. */
const MARGIN = 1e-6;

export interface Stretch {
  readonly seconds: number;
  readonly ratePerSecond: number;
}

/** A schedule that is no constant rate: stretches one after the other, in each of them exactly its rate's number of arrivals. */
export interface Schedule {
  readonly stretches: readonly Stretch[];
  /** At random moments, by the seed; at equal distances where absent. */
  readonly seed?: number;
}

/** Numbers in [0, 1) by their place: a finalizer of 32 bits (murmur3), the same in k6 and in Node. */
function uniform(seed: number, place: number): number {
  let bits = (Math.imul(seed | 0, 0x9e3779b1) + Math.imul(place + 1, 0x85ebca77)) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 4_294_967_296;
}

/** A rounding error is no arrival. */
const arrivalsIn = (seconds: number, ratePerSecond: number) => Math.ceil(ratePerSecond * seconds - 1e-6);

export const scheduleSeconds = ({ stretches }: Schedule): number =>
  stretches.reduce((sum, { seconds }) => sum + seconds, 0);

/**
 * Intended starts since the start of the schedule, whole microseconds, ascending and never equal. At random, they are independent
 * and uniform within a stretch: a Poisson process of known number. The same schedule gives the same starts, in k6 and in the record.
 */
export function scheduleDues({ stretches, seed }: Schedule): Float64Array {
  const counts = stretches.map(({ seconds, ratePerSecond }) => arrivalsIn(seconds, ratePerSecond));
  const dues = new Float64Array(counts.reduce((sum, count) => sum + count, 0));
  let [from, first] = [0, 0];
  for (const [at, { seconds, ratePerSecond }] of stretches.entries()) {
    const last = first + (counts[at] ?? 0);
    for (let place = first; place < last; place += 1) {
      const within = seed === undefined ? (place - first) / ratePerSecond : seconds * uniform(seed, place);
      dues[place] = Math.floor((from + within) * US);
    }
    dues.subarray(first, last).sort();
    [from, first] = [from + seconds, last];
  }
  for (let place = 1; place < dues.length; place += 1)
    dues[place] = Math.max(dues[place] ?? 0, (dues[place - 1] ?? 0) + 1);
  return dues;
}

/**
 * Stages that make k6 start an arrival at each of these moments: between two of them the rate
 * is one arrival in that time. Waiting inside an iteration would hold a connection for nothing.
 */
export function scheduleStages(dues: Float64Array, endSeconds: number) {
  const stages: { target: number; duration: string }[] = [];
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
