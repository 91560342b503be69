import type { CellFacts } from '../../records/load/load.ts';
import type { Samples } from '../../records/load/samples.ts';
import { settledFrom } from '../../stats/settling.ts';
import { cellBuckets } from './buckets.ts';
import { cellWindow } from './window.ts';

/** Medians that a cell is looked at by, at most; each of so many arrivals at least. */
const SLOTS = 60;
const LEAST_ARRIVALS = 10;

/**
 * Seconds from the first arrival of the steady rate, warm-up included, until the median response time stays on one level; null where it
 * never does, undefined where the rate changes as planned, the target is overloaded, or there is too little to tell.
 */
export function settledSeconds(facts: CellFacts, samples: Samples | null): number | null | undefined {
  const { durationSeconds, targetPerSecond, stretches } = facts.plan;
  const slots = Math.min(SLOTS, Math.floor((durationSeconds * targetPerSecond) / LEAST_ARRIVALS));
  if (slots === 0 || stretches !== undefined) return undefined;
  const slotSeconds = durationSeconds / slots;
  const whole = cellWindow({ ...facts, plan: { ...facts.plan, warmupSeconds: 0 } }, samples);
  const levels = cellBuckets(whole, slotSeconds).flatMap(({ responseP50Ms }) => responseP50Ms ?? []);
  const from = levels.length < slots ? undefined : settledFrom(levels);
  return from === undefined || from === null ? from : from * slotSeconds;
}

/** The same in words; undefined where nothing can be said. */
export function settledWords(settled: number | null | undefined, warmupSeconds: number): string | undefined {
  if (settled === undefined) return undefined;
  if (settled === null) return 'the median response time never settled on one level';
  const beyond = settled - warmupSeconds;
  if (beyond <= 0) return 'the median response time stayed on one level from the end of the warm-up on';
  return `the median response time settled ${beyond.toFixed(1)} s after the warm-up; the figures include the time before`;
}
