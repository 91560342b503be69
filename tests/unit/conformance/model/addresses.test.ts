import { describe, expect, test } from 'vitest';
import { isPlainlyOrdered, matches } from '../../../../conformance/model/match.ts';
import { addressOf } from '../../../../conformance/model/value.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Operator } from '../../../../lib/contract/list.ts';

const MAC = '02:00:00:00:75:3A';

describe('addresses', () => {
  test.each([
    ['colons', MAC, '02000000753A'],
    ['small letters', MAC.toLowerCase(), '02000000753A'],
    ['dashes', MAC.replaceAll(':', '-'), '02000000753A'],
    ['groups of four', '0200.0000.753A', '02000000753A'],
    ['a part of it', '02:00:00', undefined],
    ['a word', 'feed-beef', undefined],
  ])('%s: %s is the address %s', (_title, text, address) => {
    expect(addressOf(text)).toBe(address);
  });

  test.each<[Operator, string, boolean | undefined]>([
    ['EQ', MAC, true],
    ['EQ', MAC.toLowerCase(), undefined],
    ['NEQ', MAC, false],
    ['STARTSW', '02:00', true],
    ['ENDSW', '3a', undefined],
    ['CONTAINS', '75', true],
    ['EQ', '02:00:00:00:75:3B', false],
    ['GT', '02:00:00:00:74:3A', true],
    ['GT', '02:00:00:00:75:39', undefined],
    ['LT', MAC, false],
  ])('a filter name.%s.%s', (operator, value, wanted) => {
    const fields = { macAddress: MAC };
    // Whatever is known of texts: nothing says that an address is compared as one.
    const told = matches(FAMILIES.ancendpoint, fields, { field: 'name', operator, value }, { caseRule: 'sensitive' });
    expect(told).toBe(wanted);
  });

  test.each([
    ['02:00:00:00:75:30', '02:00:00:00:75:31', true],
    ['02:00:00:00:75:3A', '02:00:00:00:75:3B', true],
    ['02:00:00:00:75:39', '02:00:00:00:75:3A', false],
    ['02:00:00:00:75:3a', '02:00:00:00:75:3B', false],
    ['0017', '18', true],
    ['9', '18', false],
    ['017', '17', false],
  ])('%s and %s have one order: %s', (one, other, wanted) => {
    expect(isPlainlyOrdered(one, other)).toBe(wanted);
  });
});
