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
}

/** A rounding error is no arrival. */
const arrivalsIn = (seconds: number, ratePerSecond: number) => Math.ceil(ratePerSecond * seconds - 1e-6);

export const scheduleSeconds = ({ stretches }: Schedule): number =>
  stretches.reduce((sum, { seconds }) => sum + seconds, 0);

/** Intended starts since the start of the schedule, whole microseconds, ascending and never equal; the same in k6 and in the record. */
export function scheduleDues({ stretches }: Schedule): Float64Array {
  const counts = stretches.map(({ seconds, ratePerSecond }) => arrivalsIn(seconds, ratePerSecond));
  const dues = new Float64Array(counts.reduce((sum, count) => sum + count, 0));
  let [from, first] = [0, 0];
  for (const [at, { seconds, ratePerSecond }] of stretches.entries()) {
    const last = first + (counts[at] ?? 0);
    for (let place = first; place < last; place += 1)
      dues[place] = Math.floor((from + (place - first) / ratePerSecond) * US);
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
