import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localNumber, scheduleStartUs, shareOf, wholeNumber } from '../../../../lib/records/merge/share.ts';
import { forAll } from '../../../helpers/for-all.ts';

const seqs = fc.nat(10_000_000);
const counts = fc.integer({ min: 1, max: 64 });

describe('a share of the arrivals', () => {
  it('numbers its own arrivals without a gap, and gives the numbers of the cell back', () => {
    forAll([seqs, counts], (seq, of) => {
      const share = shareOf(seq, of);
      expect(localNumber(share, seq)).toBe(Math.floor(seq / of));
      expect(wholeNumber(share, localNumber(share, seq))).toBe(seq);
    });
  });

  it('has no whole number for an arrival of another share', () => {
    forAll([seqs, fc.integer({ min: 2, max: 64 }), fc.nat(63)], (seq, of, index) => {
      fc.pre(index < of && index !== seq % of);
      expect(Number.isInteger(localNumber({ index, of }, seq))).toBe(false);
    });
  });

  it('is due when the schedule of the cell says', () => {
    forAll([seqs, counts, fc.integer({ min: 1, max: 1_000_000 })], (seq, of, periodUs) => {
      const share = shareOf(seq, of);
      const firstUs = share.index * periodUs;
      const startUs = scheduleStartUs(share, firstUs, periodUs);
      expect(firstUs + localNumber(share, seq) * share.of * periodUs - startUs).toBe(seq * periodUs);
    });
  });
});
