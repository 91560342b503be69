import fc from 'fast-check';
import jstat from 'jstat';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../lib/random.ts';
import { judgePairs, meanSequence, type PairedVerdict } from '../../../lib/stats/anytime.ts';
import { blockInterval } from '../../../lib/stats/block-interval.ts';
import { inFlightAt, meanInFlight } from '../../../lib/stats/in-flight.ts';
import { decodeHistogram, encodeHistogram, histogramOf, summarizeLatency } from '../../../lib/stats/latency.ts';
import { percentile, rankOf } from '../../../lib/stats/percentile.ts';
import { forAll } from '../../helpers/for-all.ts';

const micros = fc.nat(60_000_000);
const p = fc.constantFrom(0.5, 0.9, 0.95, 0.99, 0.999);

describe('percentiles', () => {
  it('are values below or at which at least that share of all arrivals lies, and no smaller value is', () => {
    forAll([fc.array(micros, { minLength: 1 }), fc.nat(50), p], (values, unserved, share) => {
      const sorted = Float64Array.from(values).sort();
      const count = sorted.length + unserved;
      const found = percentile(sorted, unserved, share);
      const atMost = (limit: number) => sorted.filter((value) => value <= limit).length / count;
      if (found === null) {
        expect(sorted.length / count).toBeLessThan(share + 1e-9);
        return;
      }
      expect(atMost(found)).toBeGreaterThanOrEqual(share - 1e-9);
      const below = sorted.filter((value) => value < found).length / count;
      expect(below).toBeLessThan(share);
    });
  });

  it('lie within their interval', () => {
    forAll([fc.array(micros, { minLength: 1, maxLength: 500 }), p], (values, share) => {
      const sorted = Float64Array.from(values).sort();
      const interval = blockInterval(
        { values: Float64Array.from(values), at: Float64Array.from(values, (_, at) => at) },
        sorted,
        share,
      );
      const [low, high] = interval === 'too-short' ? [null, null] : interval;
      const found = percentile(sorted, 0, share) ?? Number.NaN;
      expect(low ?? 0).toBeLessThanOrEqual(found);
      expect(high ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(found);
    });
  });

  it('never get better when an arrival goes unserved', () => {
    forAll([fc.array(micros, { minLength: 2 }), p], (values, share) => {
      const worse = summarizeLatency({ valuesUs: [...values.slice(1), Number.POSITIVE_INFINITY] });
      const better = summarizeLatency({ valuesUs: values });
      expect(worse.count + worse.unserved).toBe(better.count);
      const sorted = Float64Array.from(values).sort();
      const removed = Float64Array.from(values.slice(1)).sort();
      const after = percentile(removed, 1, share) ?? Number.POSITIVE_INFINITY;
      expect(after).toBeGreaterThanOrEqual(percentile(sorted, 0, share) ?? 0);
    });
  });

  it('have no value without samples, and the rank of a share that rounds up is not one too high', () => {
    expect(percentile([], 0, 0.5)).toBeNull();
    expect(rankOf(100, 0.07)).toBe(7);
    expect(summarizeLatency({ valuesUs: [Infinity, Infinity, Infinity] })).toMatchObject({
      count: 0,
      unserved: 3,
      p50Ms: null,
      maxMs: null,
      minMs: null,
    });
  });
});

describe('histograms', () => {
  it('keep percentiles within three digits of the exact ones through their encoded form', () => {
    forAll(
      [fc.array(micros, { minLength: 1 }), p],
      (values, share) => {
        const histogram = decodeHistogram(encodeHistogram(histogramOf(values)));
        const exact = percentile(Float64Array.from(values).sort(), 0, share) ?? Number.NaN;
        expect(Math.abs(histogram.getValueAtPercentile(share * 100) - exact)).toBeLessThanOrEqual(1 + exact * 0.001);
      },
      { numRuns: 30 },
    );
  });

  it('refuse what is no latency instead of counting it as zero', () => {
    expect(() => histogramOf([Number.NaN])).toThrow(RangeError);
    expect(() => histogramOf([-1])).toThrow(RangeError);
  });
});

describe('numbers in flight', () => {
  const interval = fc.tuple(fc.nat(1000), fc.nat(500)).map(([start, length]) => ({ start, end: start + length }));

  it('add up to the time that all transactions took', () => {
    forAll([fc.array(interval)], (intervals) => {
      const spent = meanInFlight(intervals, 0, 10, 151).reduce((sum, mean) => sum + mean * 10, 0);
      expect(spent).toBeCloseTo(
        intervals.reduce((sum, { start, end }) => sum + end - start, 0),
        6,
      );
    });
  });

  it('at a moment count those begun and not ended', () => {
    forAll([fc.array(interval), fc.nat(1600)], (intervals, moment) => {
      const open = intervals.filter(({ start, end }) => start <= moment && end > moment).length;
      expect(inFlightAt(intervals, [moment])).toEqual([open]);
    });
  });
});

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

const MOST_PAIRS = 12;

/** Pairs whose runs spread by a share around a true ratio, judged after each, until they decide. */
function compared(ratio: number, spread: number, random: () => number): readonly [PairedVerdict, number] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const draw = () => Math.log(ratio) + spread * Math.SQRT2 * normal();
  const ratios = [draw(), draw()];
  for (;;) {
    const { verdict } = judgePairs(ratios, 0.1);
    if (verdict !== 'undecided' || ratios.length === MOST_PAIRS) return [verdict, ratios.length];
    ratios.push(draw());
  }
}

function table(ratio: number, spread: number) {
  const random = seededRandom(3);
  const runs = Array.from({ length: 200 }, () => compared(ratio, spread, random));
  const share = (word: PairedVerdict) => runs.filter(([verdict]) => verdict === word).length / runs.length;
  const pairs = runs.map(([, number]) => number).sort((a, b) => a - b)[runs.length >> 1] ?? Number.NaN;
  return { worse: share('worse'), better: share('better'), equivalent: share('equivalent'), pairs };
}
describe('pairs of runs, judged after each', () => {
  it.each([
    [0.01, 3],
    [0.02, 4],
    [0.03, 6],
  ])('with runs that spread by %f are equivalent where they are the same, in %i pairs or fewer', (spread, most) => {
    const { worse, better, equivalent, pairs } = table(1, spread);
    expect(worse + better).toBeLessThanOrEqual(0.01);
    expect(equivalent).toBeGreaterThan(0.98);
    expect(pairs).toBeLessThanOrEqual(most);
  });

  it.each([
    [0.005, 4],
    [0.01, 4],
    [0.02, 5],
    [0.03, 6],
  ])('with runs that spread by %f are worse 10 % apart, in %i pairs or fewer', (spread, most) => {
    const { worse, better, equivalent, pairs } = table(1.1, spread);
    expect([equivalent <= 0.05, better]).toEqual([true, 0]);
    expect(worse).toBeGreaterThan(0.95);
    expect(pairs).toBeLessThanOrEqual(most);
    expect(table(1 / 1.1, spread).better).toBeGreaterThan(0.95);
  });

  it('are never better 5 % apart, and 3 % apart nearly always equivalent', () => {
    expect(table(1.05, 0.02).better).toBe(0);
    expect(table(1.03, 0.02).equivalent).toBeGreaterThan(0.95);
  });

  it('are undecided where they say nothing, and need two', () => {
    expect(judgePairs([0.5, -0.5, 0.4], 0.1).verdict).toBe('undecided');
    expect(judgePairs([0.2, 0.21], 0.1)).toMatchObject({ verdict: 'undecided', interval: null });
    expect(() => judgePairs([0.1], 0.1)).toThrow(RangeError);
  });
});

it('the sequence of a mean leaves out the mean, at any of 60 looks, in at most as many runs as it says', () => {
  const random = seededRandom(5);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const wrong = Array.from({ length: 600 }, () => {
    const values: number[] = [];
    while (values.length < 60) {
      values.push(3 + normal());
      const [low, high] = meanSequence(values, 0.1);
      if (low > 3 || high < 3) return true;
    }
    return false;
  });
  expect(wrong.filter(Boolean).length / wrong.length).toBeLessThanOrEqual(0.1);
});
