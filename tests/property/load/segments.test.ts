import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Samples } from '../../../lib/records/load/load.ts';
import { mergeShares, placeShare, type SharePart, scheduleStartUs } from '../../../lib/records/merge/segments.ts';
import { toSamples } from '../../../load/stream/samples.ts';
import { k6Csv, type MadeArrival, readCsv } from '../../helpers/k6-csv.ts';
import { refusal } from '../../helpers/refusal.ts';

const PERIOD_US = 4000;

function collect(csv: string, share: { index: number; of: number }) {
  const between = PERIOD_US * 1000 * share.of;
  const { whole, table } = readCsv(csv, between, share);
  return { whole, table, ...toSamples(table, between) };
}

/** The rows of one segment, as k6 numbers them: unique numbers, striped. */
function segmentCsv(arrivals: readonly MadeArrival[], share: { index: number; of: number }): string {
  const mine = arrivals.filter((_, tick) => tick % share.of === share.index);
  return k6Csv(mine, PERIOD_US * share.of, { share, wholePeriodUs: PERIOD_US });
}

const arrival: fc.Arbitrary<MadeArrival> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ lagUs: fc.nat(3000), serviceUs: fc.nat(90_000) }) },
  { weight: 1, arbitrary: fc.record({ dropped: fc.constant(true), lagUs: fc.nat(2500) }) },
  { weight: 1, arbitrary: fc.record({ status: fc.constantFrom(0, 409, 500), code: fc.constant('other') }) },
);

function partsOf(arrivals: readonly MadeArrival[], of: number): SharePart[] {
  return Array.from({ length: of }, (_, index) => {
    const share = { index, of };
    const { samples, failures, whole, table } = collect(segmentCsv(arrivals, share), share);
    expect([whole, table.malformed]).toEqual([true, 0]);
    return { ...share, samples: placeShare(samples, share, PERIOD_US), failures };
  });
}

const fates = (samples: Samples) => Array.from(samples.outcome, (outcome) => Math.min(outcome, 2));

describe('the shares of several generators', () => {
  it('merge to what one generator would have recorded, arrival by arrival', () => {
    fc.assert(
      fc.property(
        fc
          .array(arrival, { minLength: 6, maxLength: 60 })
          .filter((list) => list.slice(0, 3).every((one) => !one.dropped)),
        fc.integer({ min: 1, max: 3 }),
        (arrivals, of) => {
          const { samples, failures } = mergeShares(partsOf(arrivals, of), PERIOD_US);
          const one = collect(k6Csv(arrivals, PERIOD_US), { index: 0, of: 1 });
          expect(samples.dueUs).toEqual(one.samples.dueUs);
          expect(samples.serviceUs).toEqual(one.samples.serviceUs);
          expect(fates(samples)).toEqual(fates(one.samples));
          const counted = (list: typeof failures) =>
            list.map(({ kind, status, count }) => `${kind} ${status} ${count}`).sort();
          expect(counted(failures)).toEqual(counted(one.failures));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('are refused when one is missing, there twice, of another number, or holds rows of another', () => {
    const parts = partsOf(
      Array.from({ length: 30 }, () => ({})),
      3,
    );
    const [a, b, c] = parts as [SharePart, SharePart, SharePart];
    const code = (list: readonly SharePart[]) => refusal(() => mergeShares(list, PERIOD_US)).code;
    expect(code([a, b, c])).toBe('');
    expect(code([a, c])).toBe('segment-missing');
    expect(code([])).toBe('no-segments');
    expect(code([a, b, c, b])).toBe('segment-doubled');
    expect(code([a, b, { ...c, of: 4 }])).toBe('segment-foreign');
    expect(code([a, b, { ...c, samples: a.samples }])).toBe('segment-foreign');
    expect(code([a, b, { ...c, index: 3 }])).toBe('segment-foreign');
  });

  it('are due when the schedule of the cell says', () => {
    const startOf = (index: number) => scheduleStartUs({ index, of: 3 }, 7 + index * PERIOD_US, PERIOD_US);
    expect([0, 1, 2].map(startOf)).toEqual([7, 7, 7]);
  });

  it('do not take a row with a number of another share', () => {
    const { table } = collect(segmentCsv([{}, {}, {}, {}], { index: 1, of: 2 }), { index: 0, of: 2 });
    expect(table.malformed).toBeGreaterThan(0);
  });
});
