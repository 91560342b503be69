import { describe, expect, it } from 'vitest';
import { observedText } from '../../../../conformance/model/difference.ts';
import { bookOf, type Write } from '../../../../conformance/model/history.ts';
import { judge } from '../../../../conformance/model/judge.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { create, list, update } from '../../../helpers/histories.ts';

const named = (id: string, name: string) => create({ name }, { id });
const RENAMED: readonly Write[] = [
  ...[named('a', 'alpha'), named('b', 'beta'), named('c', 'gamma'), named('d', 'kappa'), named('e', 'rho')],
  update({ name: 'zeta' }, { id: 'b' }),
];
const observedIn = (shown: string, history = RENAMED) => {
  const seen = list({ sort: { field: 'name', descending: false } }, shown);
  const facts = { table: FAMILIES, caseRule: undefined, largestPage: undefined };
  const found = judge(bookOf(history, FAMILIES), seen, facts);
  return found && observedText(found);
};

describe('a sorted list that is out of order', () => {
  it('blames the update of the one record that stands where it should not', () => {
    expect(observedIn('abcde')).toBe(
      '"zeta" before "gamma" (only if an update changed name: "zeta" was "beta" before)',
    );
    expect(observedIn('acdeb')).toBe(undefined);
  });

  it('blames no update if records that none changed are out of order too, or if any of two may be the one', () => {
    expect(observedIn('badce')).toBe('"zeta" before "alpha"');
    expect(observedIn('acdbe')).toBe('"zeta" before "rho"');
  });
});
