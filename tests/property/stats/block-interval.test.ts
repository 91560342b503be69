import jstat from 'jstat';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../lib/random.ts';
import { blockInterval } from '../../../lib/stats/block-interval.ts';

const PER_SECOND = 60;
const SPREAD = 0.25;

/** Latencies around 20 ms whose level drifts; `tau` is the time over which it is alike, seconds. */
function latencies(seconds: number, tau: number, random: () => number): Float64Array {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const kept = tau > 0 ? Math.exp(-1 / (PER_SECOND * tau)) : 0;
  let drift = SPREAD * normal();
  return Float64Array.from({ length: seconds * PER_SECOND }, () => {
    drift = kept * drift + Math.sqrt(1 - kept * kept) * SPREAD * normal();
    return 20 * Math.exp(SPREAD * normal() + drift);
  });
}

/** Share of the intervals that hold the true percentile, and share of the windows that were too short for one. */
function coverage(seconds: number, tau: number, p: number, runs: number) {
  const random = seededRandom(11);
  const truth = 20 * Math.exp(SPREAD * Math.SQRT2 * jstat.normal.inv(p, 0, 1));
  let [hits, short] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const values = latencies(seconds, tau, random);
    const timed = { values, at: Float64Array.from(values, (_, index) => index) };
    const found = blockInterval(timed, values.slice().sort(), p);
    if (found === 'too-short') short += 1;
    else if ((found[0] ?? 0) <= truth && truth <= (found[1] ?? Number.POSITIVE_INFINITY)) hits += 1;
  }
  return { covered: hits / Math.max(1, runs - short), short: short / runs };
}

describe('the interval of a percentile', () => {
  // Of 100 intervals that are right in 95 of 100, between 87 and 100 are, in 999 of 1000 cases.
  it.each([
    [60, 0, 0.5],
    [60, 0, 0.99],
    [120, 1, 0.5],
    [120, 1, 0.99],
  ])('over %i s holds the truth in 95 of 100 where arrivals are alike for %i s (p = %f)', (seconds, tau, p) => {
    const { covered, short } = coverage(seconds, tau, p, 100);
    expect(covered).toBeGreaterThanOrEqual(0.87);
    expect(short).toBeLessThan(0.1);
  });

  it('is not given where arrivals are alike for too long', () => {
    expect(coverage(10, 1, 0.5, 50).short).toBeGreaterThan(0.9);
    expect(coverage(60, 10, 0.99, 50).short).toBeGreaterThan(0.9);
  });

  it('is the value itself where all are equal, and unbounded above where the percentile lies among the unserved', () => {
    const equal = new Float64Array(500).fill(7);
    const at = Float64Array.from(equal, (_, index) => index);
    expect(blockInterval({ values: equal, at }, equal, 0.99)).toEqual([7, 7]);
    const lost = equal.map((value, index) => (index % 10 === 0 ? Number.POSITIVE_INFINITY : value));
    expect(blockInterval({ values: lost, at }, lost.slice().sort(), 0.99)).toEqual([null, null]);
  });
});
