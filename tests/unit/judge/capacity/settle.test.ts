import { describe, expect, it } from 'vitest';
import { capacityAnswer } from '../../../../lib/judge/capacity/capacity-answer.ts';
import { trialOf } from '../../../../lib/judge/capacity/trial.ts';
import type { CellReport } from '../../../../lib/records/load/load.ts';
import { aCell, aLatency, someFacts } from '../../../helpers/a-cell-report.ts';

const RULES = ['no-failures', 'no-drops', 'in-flight-stable', 'lag'];
const USUAL = {
  ...{ verdict: 'met' as CellReport['verdict'], broken: [] as readonly string[], number: 1, attempt: 1 as 1 | 2 },
  ...{ connections: 100, purpose: 'search' as 'search' | 'confirm', inFlight: 1, serviceMs: 4 },
};

/** A judged step; it got the whole rate done unless told otherwise. */
function aStep(given: Partial<typeof USUAL> & { readonly rate: number; readonly achieved?: number }): CellReport {
  const { rate, verdict, broken, attempt, achieved = rate, ...more } = { ...USUAL, ...given };
  const facts = someFacts({ attempt, step: { number: more.number, purpose: more.purpose } });
  const effectOf = (id: string) => (id === 'lag' ? ('invalid' as const) : ('violated' as const));
  return aCell({
    ...{ attempt, verdict, reasons: verdict === 'met' ? [] : [`${rate} ${verdict}`], achievedPerSecond: achieved },
    facts: { ...facts, plan: { ...facts.plan, targetPerSecond: rate, connections: more.connections } },
    rules: RULES.map((id) => ({
      ...{ id, text: id, measured: '', limit: '', holds: !broken.includes(id), effect: effectOf(id) },
    })),
    inFlightMean: more.inFlight,
    serviceTime: aLatency({ meanServedMs: more.serviceMs }),
  });
}

const held = (rate: number, number = 1): CellReport => aStep({ rate, number });
const slow = (rate: number, number = 1): CellReport =>
  aStep({
    ...{ rate, number, verdict: 'violated', broken: ['no-drops'] },
    ...{ achieved: 1008, inFlight: 100, serviceMs: 100 },
  });
const invalid = (rate: number, number = 1): CellReport => aStep({ rate, number, verdict: 'invalid', broken: ['lag'] });

/** The same step run twice: two that agree settle a rate. */
const twice = (make: (rate: number, number: number) => CellReport, rate: number, number = 1): readonly CellReport[] => [
  make(rate, number),
  make(rate, number + 50),
];

describe('what one step shows', () => {
  it('is how much a slow target got done, by Little’s law, and never more than succeeded', () => {
    expect(trialOf(slow(2000))).toMatchObject({ ratePerSecond: 2000, outcome: 'failed', carriedPerSecond: 1000 });
    const few = aStep({ rate: 2000, verdict: 'violated', broken: ['in-flight-stable'], achieved: 700, inFlight: 100 });
    expect(trialOf(few).carriedPerSecond).toBe(700);
  });

  it('is that the target recovers where it got all done again after a slow spell, and not where it drops one now and then', () => {
    const bucket = (startSeconds: number, succeeded: number) => ({
      ...{ startSeconds, scheduled: 250, started: succeeded, dropped: 250 - succeeded, succeeded, failed: 0 },
      ...{ offeredPerSecond: 250, achievedPerSecond: succeeded, inFlight: 1, responseP50Ms: 1, responseP99Ms: 1 },
    });
    const done = (perSecond: readonly number[]) =>
      trialOf({ ...slow(250), buckets: perSecond.map((succeeded, index) => bucket(10 + index, succeeded)) });
    const rideOutPerSecond = expect.closeTo(146.8, 0);
    expect(done([250, 250, 100, 120, 250, 250])).toMatchObject({ recovers: true, rideOutPerSecond });
    expect(done([250, 250, 100, 120, 110, 100]).recovers).toBeUndefined();
    expect(done([250, 249, 250, 249, 250, 249]).recovers).toBeUndefined();
    expect(trialOf(held(250)).recovers).toBeUndefined();
  });

  it('is no such figure where the target failed otherwise, held, or was not measured', () => {
    const failing = aStep({ rate: 250, verdict: 'violated', broken: ['no-failures', 'no-drops'] });
    for (const step of [held(250), invalid(250), failing]) expect(trialOf(step)).not.toHaveProperty('carriedPerSecond');
  });
});

describe('the answer of a search', () => {
  it('is bound by a rate that short steps held and a long run did not', () => {
    const long = (rate: number, verdict: 'met' | 'violated', number: number) =>
      aStep({ rate, verdict, number, purpose: 'confirm' });
    const steps = [...twice(held, 339, 1), ...twice(slow, 355, 2), long(339, 'violated', 5), long(328, 'met', 6)];
    const bound = { heldPerSecond: 328, failedPerSecond: 339, limit: 'target', reasons: ['339 violated'] };
    expect(capacityAnswer(steps, 250)).toMatchObject({ ...bound, searchedPerSecond: 339, verdict: 'met' });
    const atEnd = [...twice(held, 339, 1), ...steps.slice(4)];
    expect(capacityAnswer(atEnd, 250)).toMatchObject(bound);
  });

  it('is the highest rate that held, the first that did not, and the headroom', () => {
    const up = [held(250, 1), held(500, 2), ...twice(held, 1000, 3)];
    const answer = capacityAnswer([...up, slow(2000, 4), ...twice(slow, 1050, 5)], 250);
    expect(answer).toMatchObject({ verdict: 'met', heldPerSecond: 1000, failedPerSecond: 1050, limit: 'target' });
    expect(answer).toMatchObject({ headroom: 4, atLeast: false, settled: true, reasons: ['1050 violated'] });
    expect(answer.rates.map(({ carriedPerSecond }) => carriedPerSecond)).toEqual([null, null, null, 1000, 1000]);
  });

  it('is violated only where the target was the limit below the specification’s rate', () => {
    const answers: readonly (readonly [readonly CellReport[], object])[] = [
      [[held(175), ...twice(slow, 183, 2)], { verdict: 'violated', headroom: 0.7 }],
      [[held(175), invalid(183, 2)], { verdict: 'invalid', limit: 'generator' }],
      [[held(175)], { verdict: 'invalid', limit: 'end', atLeast: true }],
      [twice(slow, 250), { verdict: 'violated', heldPerSecond: null, headroom: null }],
      [[invalid(250)], { verdict: 'invalid', atLeast: false }],
    ];
    for (const [steps, answer] of answers) expect(capacityAnswer(steps, 250)).toMatchObject(answer);
  });

  it('says at least where the generator was the limit', () => {
    const answer = capacityAnswer([...twice(held, 1000), invalid(2000, 2)], 250);
    expect(answer).toMatchObject({ verdict: 'met', heldPerSecond: 1000, failedPerSecond: 2000, atLeast: true });
    expect(answer.k6CpuShare).toBeCloseTo(0.31 / 4);
    expect(capacityAnswer([held(1000), slow(2000, 2)], 250).k6CpuShare).toBeNull();
  });

  it('is not settled by one step on a side, nor by a tie, and then decides nothing', () => {
    const once = capacityAnswer([held(500), slow(1000, 2)], 250);
    expect(once).toMatchObject({ verdict: 'invalid', heldPerSecond: 500, settled: false, atLeast: true });
    const tied = capacityAnswer([...twice(held, 250), held(500, 2), slow(500, 3), held(700, 4)], 250);
    expect(tied).toMatchObject({ verdict: 'met', heldPerSecond: 250, failedPerSecond: 500, settled: false });
  });

  it('is the rate that was confirmed, and not what short steps held', () => {
    const confirm = (rate: number, number: number, verdict: CellReport['verdict']) =>
      aStep({ rate, number, verdict, purpose: 'confirm', ...(verdict === 'met' ? {} : { broken: ['no-drops'] }) });
    const steps = [...twice(held, 500, 2), ...twice(slow, 525, 4), confirm(500, 6, 'violated'), confirm(240, 7, 'met')];
    const answer = capacityAnswer(steps, 250);
    expect(answer).toMatchObject({ verdict: 'violated', heldPerSecond: 240, searchedPerSecond: 500 });
    expect(answer.confirmation).toMatchObject({ outcome: 'held', ratePerSecond: 240, steppedDown: 1 });
    expect(capacityAnswer([...steps, confirm(250, 8, 'met')], 250).verdict).toBe('met');
    expect(capacityAnswer([...steps.slice(0, 4), confirm(500, 6, 'invalid')], 250).verdict).toBe('invalid');
  });

  it('counts a step by its last try', () => {
    const second = aStep({ rate: 500, number: 2, attempt: 2 });
    const answer = capacityAnswer([held(250), invalid(500, 2), second], 250);
    expect(answer).toMatchObject({ heldPerSecond: 500, limit: 'end' });
    expect(answer.rates[1]).toMatchObject({ held: 1, invalid: 0 });
  });
});

const confirm = (rate: number, verdict: CellReport['verdict']) =>
  aStep({ ...{ rate, verdict, number: 90 }, purpose: 'confirm', broken: verdict === 'met' ? [] : ['no-drops'] });
const searched = [...twice(held, 400), ...twice(slow, 500, 2)];

it('a search that was cut while it stepped down says nothing of the rate of the specification, which it never came to', () => {
  expect(capacityAnswer([...searched, confirm(400, 'violated')], 250).verdict).toBe('invalid');
  expect(capacityAnswer([...searched, confirm(250, 'violated')], 250).verdict).toBe('violated');
  expect(capacityAnswer([...searched, confirm(400, 'violated'), confirm(300, 'met')], 250).verdict).toBe('met');
});
