import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ipOf, macOf, permutation } from '../../../lib/wire/endpoint.ts';
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
