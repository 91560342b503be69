import { describe, expect, it } from 'vitest';
import {
  candidates,
  caseTurned,
  chooseFragments,
  commonPrefix,
  FRAGMENTS,
  fragmentsFor,
} from '../../../../../../conformance/kit/list/fragments.ts';
import { holds } from '../../../../../../conformance/kit/list/predicate.ts';
import { PLAIN_TOKENS, SPECIAL_TOKENS } from '../../../../../../conformance/kit/list/test-data.ts';
import { OPERATOR_NAMES, type Operator } from '../../../../../../lib/contract/list.ts';

const names = PLAIN_TOKENS.map((token) => `cfm-1-${token}`);

const kept = (operator: Operator, fragment: string) =>
  names.filter((name) => holds(operator, name, fragment, 'sensitive')).join();

describe('fragments of values', () => {
  it('are parts of plain values, never of those with signs of their own', () => {
    expect(candidates([...names, ...SPECIAL_TOKENS]).some((part) => part.includes('%') || part.includes('.'))).toBe(
      false,
    );
  });

  it('are no more than asked for', () => {
    expect(chooseFragments(names).length).toBeLessThanOrEqual(FRAGMENTS);
  });

  it('tell every operator from every other one on the lattice', () => {
    const fragments = chooseFragments(names);
    for (const one of OPERATOR_NAMES) {
      for (const other of OPERATOR_NAMES) {
        if (one === other) continue;
        expect(
          fragments.some((fragment) => kept(one, fragment) !== kept(other, fragment)),
          `${one} and ${other}`,
        ).toBe(true);
      }
    }
  });

  it('let a match and a non-match be seen for every operator', () => {
    const fragments = chooseFragments(names);
    for (const operator of OPERATOR_NAMES) {
      const counts = fragments.map((fragment) => kept(operator, fragment).split(',').filter(Boolean).length);
      expect(
        counts.some((count) => count > 0 && count < names.length),
        operator,
      ).toBe(true);
    }
  });

  it('turn the case of letters and leave everything else', () => {
    expect(caseTurned('aB-9')).toBe('Ab-9');
  });

  it('have the common prefix taken off only where there is more than one value', () => {
    expect([commonPrefix(['abc', 'abd']), commonPrefix(['abc'])]).toEqual(['ab', '']);
  });
});

describe('fragments of numbers and truth values', () => {
  it('write numbers as the target does, so that an equal number is an equal text', () => {
    expect(candidates([100, 1008, 9]).filter((part) => /^0./.test(part))).toEqual([]);
  });

  it('compare a truth value with whole ones only', () => {
    expect(fragmentsFor('EQ', ['t', 'true'], [true, false])).toEqual(['true', 'false']);
    expect(fragmentsFor('STARTSW', ['t', 'true'], [true, false])).toEqual(['t', 'true']);
  });
});
