import { wilson } from '../../lib/stats/wilson.ts';
import { changesBetween } from './changes.ts';
import { checkIds, checkState, type Night } from './nights.ts';
import type { Flake, State } from './schema.ts';

interface Look {
  readonly night: Night;
  readonly state: State;
}

/** A failure that passed when the same run tried it again, or one night alone between two that passed with nothing else changed. */
function isFlake(looks: readonly Look[], at: number): boolean {
  const [before, one, after] = [looks[at - 1], looks[at], looks[at + 1]];
  if (one?.state === 'flaky') return true;
  if (one?.state !== 'fail' || before?.state !== 'pass' || after?.state !== 'pass') return false;
  return changesBetween(before.night.line, one.night.line).length === 0;
}

/** State of a check in each counted night that decided it. */
export function looksOf(nights: readonly Night[], checkId: string): readonly Look[] {
  return nights
    .filter(({ counts }) => counts)
    .map((night) => ({ night, state: checkState(night, checkId) }))
    .filter(({ state }) => state !== 'none' && state !== 'open');
}

/** Checks that flaked at least once, those with the highest rate first. */
export function flakesOf(nights: readonly Night[]): Flake[] {
  const found = checkIds(nights).flatMap((checkId): Flake[] => {
    const looks = looksOf(nights, checkId);
    const flaked = looks.filter(({ state }, at) => state !== 'pass' && isFlake(looks, at)).length;
    const { share: rate, low, high } = wilson(flaked, looks.length);
    return flaked === 0 ? [] : [{ checkId, flaked, nights: looks.length, rate, low, high }];
  });
  return found.sort((a, b) => b.low - a.low || b.rate - a.rate || (a.checkId < b.checkId ? -1 : 1));
}
