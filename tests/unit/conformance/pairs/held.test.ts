import { describe, expect, it } from 'vitest';
import { nameOf } from '../../../../conformance/plans/pairs/row-values.ts';
import { isParted, isTogether } from '../../../../conformance/plans/pairs/values.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

const ROW = { field: 'name', meaning: 'truth', sign: 'percent' };

describe('a row in which the name and the other text hold different levels', () => {
  it('gives the name the sign, and what it looks like to the other text', () => {
    expect([isParted(ROW), 'fresh' in nameOf(ROW), 'like' in nameOf({ meaning: 'truth' })]).toEqual([true, true, true]);
  });

  it.each([
    ['name', 'sign', 'operator', true],
    ['name', 'meaning', 'operator', false],
    ['description', 'sign', 'operator', false],
    ['description', 'meaning', 'operator', true],
    // A read shows both.
    ['name', 'meaning', 'write', true],
    // Neither text is asked for.
    ['value', 'sign', 'operator', true],
  ])('asked for %s, it shows %s with %s: %s', (field, one, other, told) => {
    expect(isTogether(FAMILIES.sgt, { ...ROW, field }, one, other)).toBe(told);
  });
});
