import type { Stall } from '../../records/load/load.ts';
import { inFlightAt } from '../../stats/in-flight.ts';
import { percentile } from '../../stats/percentile.ts';
import { type CellWindow, column, countOf, onTime } from './window.ts';

const US = 1e6;
const US_PER_MS = 1000;
/** A shorter time without an answer is a pause that any garbage collector makes. */
const LEAST_MS = 100;
/** No answer for this many service times, or this many arrivals, is no slow answer, and no low rate. */
const SERVICE_TIMES = 3;
const ARRIVALS = 10;

/** Times in order in which the target answered nothing, although transactions waited that were started on time. */
export function stallsOf(window: CellWindow, targetPerSecond: number, lateUs: number): readonly Stall[] {
  const count = countOf(window.transactions);
  const ends = column(window.transactions, count, ({ end }) => end).sort();
  const held = column(window.transactions, count, ({ start, end }) => end - start).sort();
  const usual = percentile(held, 0, 0.5) ?? 0;
  const least = Math.max(LEAST_MS * US_PER_MS, SERVICE_TIMES * usual, (ARRIVALS * US) / targetPerSecond);
  const gaps: { readonly from: number; readonly to: number }[] = [];
  for (let at = 1; at < ends.length; at += 1) {
    const [from = 0, to = 0] = [ends[at - 1], ends[at]];
    if (to - from >= least && from < window.toUs && to > window.fromUs) gaps.push({ from, to });
  }
  if (gaps.length === 0) return [];
  const waiting = inFlightAt(
    onTime(window, lateUs),
    gaps.map(({ from, to }) => (from + to) / 2),
  );
  return gaps
    .filter((_, index) => (waiting[index] ?? 0) > 0)
    .map(({ from, to }) => ({ startSeconds: from / US, ms: (to - from) / US_PER_MS }));
}

/** Is this moment within a stall, or within its length after it, while what piled up is worked off? */
export const duringStall = (stalls: readonly Stall[], atUs: number): boolean =>
  stalls.some(({ startSeconds, ms }) => {
    const from = startSeconds * US;
    return atUs >= from && atUs <= from + 2 * ms * US_PER_MS;
  });

/** Stalls in words: how long, from when; the longest if there are several. */
export function stallWords(stalls: readonly Stall[]): string {
  const longest = stalls.reduce((most, stall) => (stall.ms > most.ms ? stall : most));
  const one = `${Math.round(longest.ms)} ms from second ${longest.startSeconds.toFixed(1)}`;
  return stalls.length === 1 ? `for ${one}` : `${stalls.length} times, the longest for ${one}`;
}
