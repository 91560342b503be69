import { describe, expect, it } from 'vitest';
import { holds } from '../../../../../../conformance/kit/list/value.ts';

describe('the meaning of the operators', () => {
  it.each([
    ['EQ', 'beta', 'beta', true],
    ['EQ', 'betamax', 'beta', false],
    ['NEQ', 'betamax', 'beta', true],
    ['STARTSW', 'betamax', 'beta', true],
    ['STARTSW', 'xbeta', 'beta', false],
    ['NSTARTSW', 'xbeta', 'beta', true],
    ['ENDSW', 'xbeta', 'beta', true],
    ['NENDSW', 'betamax', 'beta', true],
    ['CONTAINS', 'xbetax', 'beta', true],
    ['NCONTAINS', 'alpha', 'beta', true],
    ['CONTAINS', 'alpha', 'al_ha', false],
    ['CONTAINS', 'axb', 'a.b', false],
  ] as const)('%s of %s and %s is %s', (operator, value, wanted, expected) => {
    expect(holds(operator, value, wanted)).toBe(expected);
  });

  it('compares numbers as numbers, and leaves the equal one out of GT and LT', () => {
    expect([holds('GT', 10, '9'), holds('LT', 9, '10')]).toEqual([true, true]);
    expect([holds('GT', 9, '9'), holds('LT', 9, '9')]).toEqual([false, false]);
  });

  it('reads a number as it is written where a text is asked for', () => {
    expect(holds('STARTSW', 1000, '10')).toBe(true);
  });
});
