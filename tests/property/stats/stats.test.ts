import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
