import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ipOf, macOf, permutation } from '../../../lib/wire/endpoint.ts';
import { scheduleDues, scheduleStages } from '../../../lib/wire/scenario.ts';
import { forAll } from '../../helpers/for-all.ts';

describe('the endpoints of a pool', () => {
  it('gives an address back as the index it was made of, in every space', () => {
    forAll([fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 255 })], (index, space) => {
      const mac = macOf(index, space);
      expect(mac).toMatch(/^02(:[0-9A-F]{2}){5}$/);
      expect(Number.parseInt(mac.slice(6).replaceAll(':', ''), 16)).toBe(index);
    });
  });

  it('gives different indexes different IP addresses', () => {
    const index = fc.integer({ min: 0, max: 2 ** 24 - 1 });
    forAll([index, index], (a, b) => {
      expect(ipOf(a) === ipOf(b)).toBe(a === b);
    });
  });

  it('visits every endpoint once before any twice, for every size and seed', () => {
    forAll([fc.integer({ min: 1, max: 3000 }), fc.integer()], (size, seed) => {
      const order = permutation(size, seed);
      const first = Array.from({ length: size }, (_, seq) => order(seq));
      expect(new Set(first).size).toBe(size);
      expect(first.every((index) => Number.isInteger(index) && index >= 0 && index < size)).toBe(true);
      expect(order(size + 5)).toBe(order(5));
    });
  });

  it('stays exact at the largest size: neighbors differ by the same step everywhere', () => {
    const size = 2 ** 26;
    const order = permutation(size, 3);
    const step = order(1) - order(0);
    forAll([fc.integer({ min: 0, max: size - 2 })], (seq) => {
      expect((((order(seq + 1) - order(seq) - step) % size) + size) % size).toBe(0);
    });
  });
});

/** A warm-up of 2 s, a minute, and a tail of a tenth of a second. */
const minuteAt = (ratePerSecond: number) => ({
  stretches: [2, 60, 0.1].map((seconds) => ({ seconds, ratePerSecond })),
});

it('puts exactly the arrivals of the rate into the warm-up, the window and the tail', () => {
  for (const ratePerSecond of [1, 62.5, 250, 4999.9]) {
    const dues = scheduleDues(minuteAt(ratePerSecond));
    const between = (from: number, to: number) => dues.filter((due) => due >= from * 1e6 && due < to * 1e6).length;
    const counts = [2, 60, 0.1].map((seconds) => Math.ceil(ratePerSecond * seconds - 1e-6));
    expect([between(0, 2), between(2, 62), between(62, 63)]).toEqual(counts);
  }
});

it('gives whole microseconds, ascending', () => {
  const dues = scheduleDues(minuteAt(62.5));
  expect(dues.every((due, at) => Number.isInteger(due) && due > (dues[at - 1] ?? -1))).toBe(true);
});

it('changes the rate from one stretch to the next at equal distances', () => {
  const stretches = [
    { seconds: 2, ratePerSecond: 100 },
    { seconds: 1, ratePerSecond: 250 },
  ];
  const dues = scheduleDues({ stretches });
  expect([dues.length, dues[199], dues[200], dues[449]]).toEqual([450, 1_990_000, 2_000_000, 2_996_000]);
});

/** Moments at which k6 starts the arrivals of stages, by the arithmetic of its `ramping-arrival-rate`, microseconds. */
function startsOfK6({ timeUnit, stages }: ReturnType<typeof scheduleStages>): number[] {
  const unitUs = Number(timeUnit.slice(0, -1)) * 1e6;
  const starts: number[] = [];
  let [next, done, from, stageStart] = [1, 0, 0, 0];
  for (const stage of stages) {
    const to = stage.target / unitUs;
    const us = Number(stage.duration.replace(/u?s$/, ''));
    const end = done + (from === to ? us * to : us * ((to - from) / 2 + from));
    for (; next <= end; next += 1) starts.push(stageStart + (from === to ? (next - done) / to : 0));
    done = end;
    from = to;
    stageStart += us;
  }
  return starts;
}

it('gives k6 stages that start every arrival at its moment, none more and none less', () => {
  for (const ratePerSecond of [1.5, 250, 4000]) {
    const dues = scheduleDues(minuteAt(ratePerSecond));
    const starts = startsOfK6(scheduleStages(dues, 62.1));
    expect(starts.length).toBe(dues.length);
    const most = starts.reduce((worst, start, at) => Math.max(worst, Math.abs(start - (dues[at] ?? 0))), 0);
    expect(most).toBeLessThan(10);
  }
});
