import { describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { bracketOf, type StepOutcome, type Trial } from '../../../../lib/judge/capacity/trial.ts';
import { capacityPhases, mostTime, planCapacity, timeText } from '../../../../load/capacity/plan-capacity.ts';
import { nextStep, type SearchOptions } from '../../../../load/capacity/search.ts';
import { CapacitySpec, wholeSpec } from '../../../../load/capacity/spec.ts';
import { recoveryCell } from '../../../../load/capacity/step-cell.ts';

const OPTIONS: SearchOptions = { start: 250, lowest: 5, highest: 5000, tolerance: 0.05, steps: 30 };

type Shown = StepOutcome | Omit<Trial, 'ratePerSecond'>;

/** Carries a search through on a target that answers by this rule. */
function searched(answer: (rate: number, before: readonly Trial[]) => Shown, options = OPTIONS): Trial[] {
  const trials: Trial[] = [];
  for (let next = nextStep(trials, options); next !== null; next = nextStep(trials, options)) {
    const { ratePerSecond } = next;
    const shown = answer(ratePerSecond, trials);
    trials.push({ ratePerSecond, ...(typeof shown === 'string' ? { outcome: shown } : shown) });
  }
  return trials;
}

const upTo = (capacity: number) => (rate: number) => (rate <= capacity ? 'held' : 'failed');
const foundBy = (trials: readonly Trial[]) => bracketOf(trials).low?.ratePerSecond ?? null;

describe('the search for the highest rate that holds', () => {
  it('starts at the rate of the specification and never more than doubles what has held', () => {
    const trials = searched(upTo(3000));
    expect(trials[0]?.ratePerSecond).toBe(250);
    for (const [at, { ratePerSecond }] of trials.entries()) {
      const held = trials.slice(0, at).filter(({ outcome }) => outcome === 'held');
      const most = Math.max(125, ...held.map((trial) => trial.ratePerSecond));
      expect(ratePerSecond).toBeLessThanOrEqual(most * 2);
    }
  });

  /** A target that, given too many arrivals, gets its capacity done. */
  const queueing =
    (capacity: number) =>
    (rate: number): Shown =>
      rate <= capacity ? 'held' : { outcome: 'failed', carriedPerSecond: capacity };

  it.each([6, 180, 400, 1000, 3333])('takes the hint of a slow target: %i/s in at most 9 steps', (capacity) => {
    const trials = searched(queueing(capacity));
    expect(trials.length).toBeLessThanOrEqual(9);
    expect(capacity - (foundBy(trials) ?? 0)).toBeLessThanOrEqual(Math.max(1, capacity * 0.05));
  });

  it.each<[string, (rate: number) => Shown]>([
    ['nothing holds', () => 'failed'],
    ['every hint fails', (rate) => ({ outcome: 'failed', carriedPerSecond: rate * 0.95 })],
  ])('ends where %s, at the lowest rate, without creeping downward', (_, answer) => {
    const trials = searched(answer);
    expect([foundBy(trials), trials.at(-1)?.ratePerSecond]).toEqual([null, 5]);
    expect(trials.length).toBeLessThanOrEqual(20);
  });

  it('leaves the rate that held to a confirmation, where one follows', () => {
    const { low, high } = bracketOf(searched(upTo(400), { ...OPTIONS, confirmed: true }));
    expect([low?.held, high?.failed]).toEqual([1, 2]);
  });

  it('lets two of three decide about a rate that held once by chance', () => {
    const trials = searched((rate, before) => {
      const first = !before.some((trial) => trial.ratePerSecond === rate);
      return rate < 240 || (rate === 250 && first) ? 'held' : 'failed';
    });
    expect(trials.filter(({ ratePerSecond }) => ratePerSecond === 250)).toHaveLength(3);
    expect(foundBy(trials)).toBeLessThan(240);
  });

  it('ends at the highest rate allowed, and repeats it', () => {
    const trials = searched(upTo(9000), { ...OPTIONS, highest: 800 });
    expect(trials.map(({ ratePerSecond }) => ratePerSecond)).toEqual([250, 500, 800, 800]);
    expect(bracketOf(trials).high).toBeNull();
  });

  it('closes in on a rate that the generator cannot offer, and gives it a second chance', () => {
    const trials = searched((rate) => (rate <= 700 ? 'held' : 'invalid'));
    const { low, high } = bracketOf(trials);
    expect(high).toMatchObject({ failed: 0, invalid: 2 });
    expect((high?.ratePerSecond ?? 0) / (low?.ratePerSecond ?? 1)).toBeLessThanOrEqual(1.05);
  });

  it('ends after its steps on a target that holds and fails by turns', () => {
    expect(searched((_rate, before) => (before.length % 2 === 0 ? 'held' : 'failed')).length).toBeLessThanOrEqual(30);
  });

  it('does not count a rate that held above one that did not', () => {
    const trials: Trial[] = [
      { ratePerSecond: 100, outcome: 'held' },
      { ratePerSecond: 200, outcome: 'failed' },
      { ratePerSecond: 300, outcome: 'held' },
    ];
    expect(foundBy(trials)).toBe(100);
  });
});

/** A search on so many endpoints, with these options as they are typed. */
function plan(endpoints: number, given: Readonly<Record<string, unknown>> = {}) {
  const pool = readPool(`02:00:00:00:00:00+${endpoints}@10.0.0.0`);
  return planCapacity(wholeSpec(CapacitySpec.parse(given)), '60k', { pool, policy: 'Quarantine' });
}

describe('the recovery from an overload', () => {
  it('goes to a fifth above the claim and back, where nothing above the highest rate is offered', () => {
    expect(recoveryCell(400, plan(100_000))).toMatchObject({
      ...{ purpose: 'recovery', ratePerSecond: 280, seconds: 45 },
      stretches: [
        [5, 280],
        [10, 480],
        [30, 280],
      ].map(([seconds, ratePerSecond]) => ({ seconds, ratePerSecond })),
    });
    expect(recoveryCell(400, plan(100_000, { maxRatePerSecond: '450' }))).toBeNull();
    expect(recoveryCell(400, plan(100_000, { recoverySeconds: '0' }))).toBeNull();
  });

  it('is as short as a small pool asks for, and is left out where it is too small for two seconds', () => {
    expect(recoveryCell(200, plan(3000))?.stretches[1]?.seconds).toBe(2);
    expect(recoveryCell(2000, plan(3000))).toBeNull();
  });
});

it('the time of a search is ten minutes and what comes after it, or what was given', () => {
  const { search, run } = mostTime(plan(60_000));
  expect([search, run > search]).toEqual([600, true]);
  expect(mostTime(plan(60_000, { forSeconds: '10m' })).run).toBe(600);
  const short = capacityPhases(plan(60_000, { forSeconds: '4m' }));
  expect(short.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(240);
  expect(() => plan(60_000, { forSeconds: '1m' })).toThrow('leave too little');
  expect(timeText(plan(60_000)).replaceAll('\u202f', '')).toMatch(
    /^if the target holds 375\/s, about .* requests: search .*, confirm .*, recovery [^,]*; then up to 60000 endpoints cleared, 2 min; at most/,
  );
});
