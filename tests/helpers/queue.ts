import { seededRandom } from '../../lib/random.ts';

/** A queue with so many equal servers and exponential service times, first come first served. */
export interface Queue {
  readonly servers: number;
  /** Mean service time, milliseconds. */
  readonly meanMs: number;
}

/** Response times of such a queue for arrivals at these moments, in their order, milliseconds. */
export function simulateQueue(
  duesUs: Float64Array,
  { servers, meanMs, seed }: Queue & { readonly seed: number },
): number[] {
  const random = seededRandom(seed);
  const free = new Float64Array(servers);
  return Array.from(duesUs, (dueUs) => {
    const cameMs = dueUs / 1000;
    const server = free.indexOf(Math.min(...free));
    const end = Math.max(cameMs, free[server] ?? 0) - meanMs * Math.log(1 - random());
    free[server] = end;
    return end - cameMs;
  });
}

/** Probability that an arrival has to wait (Erlang C). */
function erlangC(servers: number, offered: number): number {
  let blocked = 1;
  for (let server = 1; server <= servers; server += 1) blocked = (offered * blocked) / (server + offered * blocked);
  return blocked / (1 - (offered / servers) * (1 - blocked));
}

/** Percentile of the response time of M/M/c in theory, milliseconds. */
export function mmcPercentile(
  p: number,
  { servers, meanMs, ratePerSecond }: Queue & { readonly ratePerSecond: number },
): number {
  const offered = (ratePerSecond * meanMs) / 1000;
  const waits = erlangC(servers, offered);
  const spare = servers - 1 - offered;
  const beyond = (ms: number) => {
    const t = ms / meanMs;
    const tail = Math.abs(spare) < 1e-9 ? t : (1 - Math.exp(-spare * t)) / spare;
    return Math.exp(-t) * (1 + waits * tail);
  };
  let [low, high] = [0, meanMs];
  while (beyond(high) > 1 - p) high *= 2;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (beyond(middle) > 1 - p) low = middle;
    else high = middle;
  }
  return high;
}
