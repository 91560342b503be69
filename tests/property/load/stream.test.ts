import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../lib/random.ts';
import { createParser } from '../../../load/stream/parser.ts';
import { toSamples } from '../../../load/stream/samples.ts';
import { reconstructTicks } from '../../../load/stream/schedule.ts';
import { createTable } from '../../../load/stream/table.ts';
import { forAll } from '../../helpers/for-all.ts';
import { k6Csv, type MadeArrival, readCsv } from '../../helpers/k6-csv.ts';

const PERIOD_NS = 4_000_000;

function collect(bytes: Uint8Array, cuts: readonly number[] = []) {
  const table = createTable(4);
  const parser = createParser(table, PERIOD_NS);
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    parser.push(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  parser.push(bytes.subarray(from));
  const whole = parser.end();
  return { ...toSamples(table, PERIOD_NS), whole, table };
}

const arrival: fc.Arbitrary<MadeArrival> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ lagUs: fc.nat(3000), serviceUs: fc.nat(3_000_000) }) },
  { weight: 1, arbitrary: fc.record({ dropped: fc.constant(true), lagUs: fc.nat(2500) }) },
  { weight: 1, arbitrary: fc.record({ status: fc.constantFrom(0, 409, 500), code: fc.constant('other') }) },
);

describe('the stream of k6', () => {
  it('reads the same from chunks cut anywhere', () => {
    forAll(
      [fc.array(arrival, { minLength: 1, maxLength: 12 }), fc.array(fc.nat(20_000))],
      (arrivals, cuts) => {
        const bytes = new TextEncoder().encode(k6Csv(arrivals));
        const inside = cuts.map((cut) => cut % (bytes.length + 1));
        const { samples, counts, failures, whole, table } = collect(bytes, inside);
        expect({ samples, counts, failures }).toEqual(
          (({ samples, counts, failures }) => ({ samples, counts, failures }))(collect(bytes)),
        );
        expect([whole, table.malformed]).toEqual([true, 0]);
      },
      { numRuns: 200 },
    );
  });

  it('gives arrivals of a schedule their intended starts back to the millisecond, whichever were dropped and however late k6 was ready', () => {
    const shape = fc.record({
      seed: fc.nat(1000),
      readyUs: fc.nat(20_000),
      drops: fc.array(fc.nat(198), { maxLength: 60 }),
    });
    forAll(
      [shape],
      ({ seed, readyUs, drops }) => {
        const random = seededRandom(seed);
        const duesUs = Float64Array.from({ length: 200 }, () => Math.floor(random() * 1e6))
          .sort()
          .map((us, at) => us + at);
        const arrivals = Array.from(duesUs, (_, tick) => ({
          lagUs: 50 + (tick % 7) * 20,
          dropped: drops.includes(tick),
        }));
        const csv = k6Csv(arrivals, 5000, undefined, (tick) => readyUs + (duesUs[tick] ?? 0));
        const { table } = readCsv(csv, 5_000_000);
        const { samples, counts, early } = toSamples(table, 5_000_000, { duesUs });
        expect([counts.scheduled, counts.dropped, early]).toEqual([200, new Set(drops).size, 0]);
        expect(samples.dueUs).toEqual(duesUs);
        // Which of two arrivals within a millisecond was dropped is not to be told, and drops close together add up.
        const lost = [...new Set(drops)].map((tick) => duesUs[tick] ?? 0);
        const together = Math.max(1, ...lost.map((at) => lost.filter((due) => due >= at && due - at < 5000).length));
        const lags = samples.lagUs.filter((_, tick) => samples.outcome[tick] !== 1);
        expect(Math.max(...lags)).toBeLessThan(500 + 1000 * together);
      },
      { numRuns: 40, examples: [[{ seed: 416, readyUs: 451, drops: [54, 53] }]] },
    );
  });
});

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
