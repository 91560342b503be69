import { describe, expect, it } from 'vitest';
import type { Write } from '../../../../conformance/model/history.ts';
import { create, judged, list, update } from '../../../helpers/histories.ts';

const named = (id: string, name: string) => create({ name }, { id });
const RENAMED: readonly Write[] = [
  ...[named('a', 'alpha'), named('b', 'beta'), named('c', 'gamma'), named('d', 'kappa'), named('e', 'rho')],
  update({ name: 'zeta' }, { id: 'b' }),
];
const BY_NAME = { sort: { field: 'name', descending: false } } as const;
const observedIn = (shown: string, history = RENAMED, by: Parameters<typeof list>[0] = BY_NAME) => {
  const found = judged(history, list(by, shown));
  return found && [found.observed, found.onlyIf];
};

describe('a sorted list that is out of order', () => {
  it('blames the update of the one record that stands where it should not', () => {
    expect(observedIn('abcde')).toEqual(['"zeta" before "gamma"', 'an update changed name: "zeta" was "beta" before']);
    expect(observedIn('acdeb')).toBe(undefined);
  });

  it('blames the numbers from one on, if those below it are in order', () => {
    const numbers = [3, 150, 32_766, 40_001, 50_000];
    const history = numbers.map((value, at) => create({ value }, { id: 'abcde'[at] ?? '' }));
    const by = { sort: { field: 'value', descending: false } } as const;
    expect(observedIn('deabc', history, by)).toEqual([
      '40001 before 3',
      'a value is 40001 or more; up to 32766 they are in order',
    ]);
    expect(observedIn('bacde', history, by)).toEqual(['150 before 3', undefined]);
  });

  it('blames no update if records that none changed are out of order too, or if any of two may be the one', () => {
    expect(observedIn('badce')).toEqual(['"zeta" before "alpha"', undefined]);
    expect(observedIn('acdbe')).toEqual(['"zeta" before "rho"', undefined]);
  });
});
