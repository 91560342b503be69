import { describe, expect, it } from 'vitest';
import { confirmationOf } from '../../../lib/judge/capacity/capacity-answer.ts';
import type { Trial } from '../../../lib/judge/capacity/trial.ts';
import { type FindOptions, findCapacity, type RunStep } from '../../../load/capacity/find-capacity.ts';
import { bucket, fluidTarget, SUBJECTS, simulate } from '../../helpers/simulated-searches.ts';

const CONNECTIONS = 100;

/** Options of a search with a confirmation as long as by default. */
function options(changes: Partial<FindOptions> = {}): FindOptions {
  return {
    search: { start: 250, lowest: 5, highest: 5000, tolerance: 0.05, steps: 30 },
    confirmSeconds: 150,
    mostSeconds: () => 3600,
    targetPerSecond: 250,
    secondsLeft: () => Number.POSITIVE_INFINITY,
    ...changes,
  };
}

/** Does `perSecond`, and only a share of it for some seconds of every `everySeconds`. */
function slowAtTimes(perSecond: number, share: number, spellSeconds: number, everySeconds: number): RunStep {
  return fluidTarget((at, waiting, slot) =>
    Math.min(waiting, (at % everySeconds < spellSeconds ? share : 1) * perSecond * slot),
  );
}

const claim = (trials: readonly Trial[]) => {
  const found = confirmationOf(trials);
  return found?.outcome === 'held' ? found.ratePerSecond : null;
};

it('of a target that stalls is what its connections ride out, confirmed over three stalls', async () => {
  const trials = await findCapacity(options(), slowAtTimes(5000, 0, 0.3, 61));
  const limit = CONNECTIONS / 0.3;
  expect(claim(trials)).toBeLessThanOrEqual(limit);
  expect(claim(trials)).toBeGreaterThanOrEqual(limit * 0.6);
  expect(confirmationOf(trials)?.stalls).toBeGreaterThanOrEqual(3);
});

it.each([
  [90, 18_274, 3],
  [100, 20_000, 1],
])(
  'of a bucket of %i/s and %i tokens is found though each rate held once and failed then',
  async (rate, size, pause) => {
    const trials = await findCapacity(options(), bucket(rate, size, pause).runStep);
    expect(claim(trials)).toBeLessThanOrEqual(rate + (size + CONNECTIONS) / 150);
    expect(claim(trials)).toBeGreaterThanOrEqual(rate * 0.9);
  },
);

it.each([
  [300, 0.4, 5, 52],
  [860, 0.36, 10, 81],
  [1500, 0.57, 10, 143],
  [1000, 0.34, 13, 130],
  [1150, 0.33, 3, 49],
])(
  'the capacity of a target that is slow at times %i/s, and %f of it for %i of %i s, is found',
  async (perSecond, share, spell, every) => {
    const trials = await findCapacity(options(), slowAtTimes(perSecond, share, spell, every));
    // What comes in a slow spell beyond what is done waits on a connection.
    const limit = Math.min(perSecond, share * perSecond + CONNECTIONS / spell);
    expect(claim(trials)).toBeLessThanOrEqual(limit * 1.02);
    expect(claim(trials)).toBeGreaterThanOrEqual(limit * 0.5);
  },
);

it('does not step over the published rate on the way down to what slow spells leave', async () => {
  const claims = await Promise.all(
    [31, 52, 83, 120].map(async (every) => claim(await findCapacity(options(), slowAtTimes(1000, 0.24, 5, every)))),
  );
  // In a spell 240/s are done, and 100 of 50 more wait on a connection: 250/s hold.
  expect(claims.filter((rate) => rate === null || rate < 250)).toEqual([]);
});

/** Shares of the truth and minutes that searches of each kind may come to; `wrong` claims are above 102 % of it. */
const TABLE: Readonly<
  Record<string, { wrong: number; median: number; low: number; minutes: number; longest: number }>
> = {
  'sharp limit': { wrong: 0, median: 0.96, low: 0.95, minutes: 5, longest: 8 },
  'token bucket': { wrong: 0.01, median: 0.96, low: 0.95, minutes: 6, longest: 8 },
  'reserve of 3,000 above 600/s': { wrong: 0, median: 0.95, low: 0.95, minutes: 6, longest: 8 },
  'stalls of 0.5 s in 10 s': { wrong: 0, median: 0.95, low: 0.95, minutes: 6, longest: 9 },
  'waves of 30 s': { wrong: 0, median: 0.95, low: 0.94, minutes: 6, longest: 9 },
  'cliff of errors': { wrong: 0, median: 0.96, low: 0.95, minutes: 5, longest: 8 },
  collapse: { wrong: 0, median: 0.95, low: 0.93, minutes: 6, longest: 9 },
  'chance, 2 % wide': { wrong: 0.01, median: 0.92, low: 0.86, minutes: 6, longest: 12 },
  'chance, 5 % wide': { wrong: 0.05, median: 0.88, low: 0.79, minutes: 9, longest: 12 },
};

describe('many searches', () => {
  it.each(Object.keys(SUBJECTS))('of the kind "%s" claim and take what the table says', async (kind) => {
    const found = await simulate(kind, 100, { ...options(), forSeconds: 600 });
    const row = TABLE[kind];
    expect(row).toBeDefined();
    expect(found.none).toBeLessThan(0.02);
    expect(found.tooHigh).toBeLessThanOrEqual(row?.wrong ?? 0);
    expect(found.median).toBeGreaterThanOrEqual(row?.median ?? 1);
    expect(found.low).toBeGreaterThanOrEqual(row?.low ?? 1);
    expect(found.medianMinutes).toBeLessThanOrEqual(row?.minutes ?? 0);
    expect(found.longestMinutes).toBeLessThanOrEqual(row?.longest ?? 0);
  });

  it('keep to a time that is too short for a whole confirmation', async () => {
    const found = await simulate('sharp limit', 40, { ...options(), forSeconds: 150 });
    expect(found.longestMinutes).toBeLessThanOrEqual(2.7);
    expect([found.none, found.tooHigh]).toEqual([0, 0]);
    // A first confirmation that fails leaves time to a lower rate.
    const byChance = await simulate('chance, 5 % wide', 40, { ...options(), forSeconds: 240 });
    expect(byChance.none).toBeLessThanOrEqual(0.05);
  });
});
