import { countUpTo } from './percentile.ts';

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Mean number in flight in each of `slots` slots of `width` from `from` on: the time that all transactions spend in it, by its width. */
export function meanInFlight(intervals: Iterable<Interval>, from: number, width: number, slots: number): number[] {
  const spent = new Float64Array(slots);
  for (const { start, end } of intervals) {
    const first = Math.max(0, Math.floor((start - from) / width));
    const last = Math.min(slots - 1, Math.floor((end - from) / width));
    for (let slot = first; slot <= last; slot += 1) {
      const begin = from + slot * width;
      spent[slot] = (spent[slot] ?? 0) + Math.max(0, Math.min(end, begin + width) - Math.max(start, begin));
    }
  }
  return Array.from(spent, (time) => time / width);
}

/** Number in flight at given moments: begun at or before, ended after. */
export function inFlightAt(intervals: Iterable<Interval>, moments: readonly number[]): number[] {
  const [begun, ended]: [number[], number[]] = [[], []];
  for (const { start, end } of intervals) {
    begun.push(start);
    ended.push(end);
  }
  const [starts, ends] = [Float64Array.from(begun).sort(), Float64Array.from(ended).sort()];
  return moments.map((moment) => countUpTo(starts, moment) - countUpTo(ends, moment));
}
