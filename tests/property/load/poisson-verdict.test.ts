import { expect, it } from 'vitest';
import { judgeCell } from '../../../lib/judge/cell/judge-cell.ts';
import { seededRandom } from '../../../lib/random.ts';
import { emptySamples } from '../../../lib/records/load/samples.ts';
import { scheduleDues } from '../../../lib/wire/arrivals.ts';
import { aCell } from '../../helpers/a-cell.ts';

const SECONDS = 10;

/** Response times of eight workers with exponential service times, first come first served, milliseconds. */
function queueTimes(duesUs: Float64Array, meanMs: number, seed: number): number[] {
  const random = seededRandom(seed);
  const free = new Float64Array(8);
  return Array.from(duesUs, (dueUs) => {
    const worker = free.indexOf(Math.min(...free));
    const end = Math.max(dueUs / 1000, free[worker] ?? 0) - meanMs * Math.log(1 - random());
    free[worker] = end;
    return end - dueUs / 1000;
  });
}

/** Verdict of a Poisson cell of 250/s on eight workers that are busy for this share of the time. */
function verdictAt(load: number, seed: number): string {
  const stretches = [1, SECONDS, 0.1].map((seconds) => ({ seconds, ratePerSecond: 250 }));
  const dues = scheduleDues({ stretches, seed });
  const times = queueTimes(dues, (1000 * load * 8) / 250, seed);
  const samples = emptySamples(dues.length);
  for (const [row, ms] of times.entries()) {
    samples.dueUs[row] = dues[row] ?? 0;
    samples.responseUs[row] = Math.round(ms * 1000);
    samples.serviceUs[row] = Math.round(ms * 1000);
    samples.seq[row] = row;
  }
  const started = dues.length;
  const { facts } = aCell(undefined, {
    plan: { arrivals: 'poisson', durationSeconds: 1 + SECONDS, warmupSeconds: 1, poolSize: 100_000 },
    counts: { scheduled: started, started, dropped: 0, recorded: started, exceptions: 0 },
  });
  return judgeCell(facts, samples).verdict;
}

it('calls no queue of Poisson arrivals a backlog while the target keeps up, and every one when it does not', () => {
  const seeds = Array.from({ length: 12 }, (_, at) => at + 1);
  expect(seeds.map((seed) => verdictAt(0.95, seed))).toEqual(seeds.map(() => 'met'));
  expect(seeds.map((seed) => verdictAt(1.25, seed))).toEqual(seeds.map(() => 'violated'));
});
