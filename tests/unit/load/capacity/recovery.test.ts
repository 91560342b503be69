import { describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { timeText } from '../../../../load/capacity/describe.ts';
import { mostTime, planCapacity } from '../../../../load/capacity/plan-capacity.ts';
import { CapacitySpec, wholeSpec } from '../../../../load/capacity/spec.ts';
import { recoveryCell } from '../../../../load/capacity/step-cell.ts';

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
  expect(() => plan(60_000, { forSeconds: '1m' })).toThrow('leave too little');
});

it('what a search sends is told of a target that holds a rate, and each endpoint of the pool may have to be cleared', () => {
  expect(timeText(plan(60_000)).replaceAll('\u202f', '')).toMatch(
    /^if the target holds 375\/s, about .* requests: search .*, confirm .*, recovery [^,]*; then up to 60000 endpoints cleared, 2 min; at most/,
  );
});
