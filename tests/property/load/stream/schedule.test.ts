import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reconstructTicks } from '../../../../load/stream/schedule.ts';
import { forAll } from '../../../helpers/for-all.ts';

const PERIOD_US = 4000;

describe('the reconstructed schedule', () => {
  it('is exact while the generator drops within a period of the intended start', () => {
    const ticks = fc.array(fc.record({ dropped: fc.boolean(), lateUs: fc.nat(PERIOD_US - 1) }), { maxLength: 200 });
    forAll([ticks], (schedule) => {
      const places = schedule.map((entry, tick) => ({ ...entry, tick }));
      const dropped = places.filter((entry) => entry.dropped);
      const found = reconstructTicks({
        originUs: 1000,
        periodUs: PERIOD_US,
        started: places.length - dropped.length,
        dropsUs: dropped.map(({ tick, lateUs }) => 1000 + tick * PERIOD_US + lateUs),
      });
      expect([...found.dropped]).toEqual(dropped.map(({ tick }) => tick));
      expect([...found.started]).toEqual(places.filter((entry) => !entry.dropped).map(({ tick }) => tick));
    });
  });

  it('puts the drops of a late generator no earlier than they can have been, so that no lag is hidden', () => {
    // Ticks 10 to 14 were all handled at 60 ms: the last three were dropped, the first two started.
    const dropsUs = [60_000, 60_010, 60_020];
    const { dropped } = reconstructTicks({ originUs: 0, periodUs: PERIOD_US, started: 20, dropsUs });
    expect([...dropped]).toEqual([13, 14, 15]);
  });
});
