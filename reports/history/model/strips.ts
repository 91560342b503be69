import { groupBy } from '../../../lib/group-by.ts';
import { wilson } from '../../../lib/stats/wilson.ts';
import { changesBetween, checkIds, checkState, hasLooked, isDecided, type Night } from './nights.ts';
import { type Flake, type HistoryReport, State, type Strip } from './schema.ts';

/** A failure that passed when the same run tried it again, or one night alone between two that passed with nothing else changed. */
function isFlake(looks: ReturnType<typeof looksOf>, at: number): boolean {
  const [before, one, after] = [looks[at - 1], looks[at], looks[at + 1]];
  if (one?.state === 'flaky') return true;
  if (one?.state !== 'fail' || before?.state !== 'pass' || after?.state !== 'pass') return false;
  // What a new version broke or mended did not come or go by itself.
  return changesBetween(before.line, one.line).length + changesBetween(one.line, after.line).length === 0;
}

/** The counted nights that decided a check, with what they made of it. */
export const looksOf = (nights: readonly Night[], checkId: string) =>
  nights
    .filter(({ counts }) => counts)
    .map(({ line, ...night }) => ({ line, state: checkState({ line, ...night }, checkId) }))
    .filter(({ state }) => isDecided(state));

export function flakesOf(nights: readonly Night[]): Flake[] {
  const found = checkIds(nights).flatMap((checkId): Flake[] => {
    const looks = looksOf(nights, checkId);
    const flakes = looks.filter(({ state }, at) => state !== 'pass' && isFlake(looks, at));
    const [flaked, steady] = [flakes.length, flakes.filter(({ state }) => state === 'fail').length];
    const { share: rate, low, high } = wilson(flaked, looks.length);
    return flaked === 0 ? [] : [{ checkId, flaked, steady, nights: looks.length, rate, low, high }];
  });
  return found.sort((a, b) => b.low - a.low || b.rate - a.rate || (a.checkId < b.checkId ? -1 : 1));
}

/** Rows of the causes that any night names; a night without it passed if it decided one of its checks. */
function causeRows(nights: readonly Night[]): Strip[] {
  const named = nights.filter(({ counts }) => counts).flatMap(({ line }) => line.causes);
  return [...groupBy(named, ({ id }) => id)].map(([id, all]) => {
    const checks = [...new Set(all.flatMap((one) => one.checks))];
    const states = nights.map((night): State => {
      const { line, counts } = night;
      if (!counts || line.families.length === 0) return 'none';
      const found = line.causes.find((one) => one.id === id);
      if (found !== undefined) return found.expected === true ? 'expected' : 'fail';
      if (hasLooked(night, checks)) return 'pass';
      return checks.some((check) => checkState(night, check) === 'open') ? 'open' : 'none';
    });
    const failed = states.filter((state) => state === 'fail').length;
    const last = states.findLast((state) => state !== 'none') ?? 'none';
    return { checkId: id, cause: true, states, failed, flaky: false, last };
  });
}

/** Rows of all causes and checks that ever did not pass, worst first: what fails now, what fails most. `of`: the number of all checks. */
export function stripsOf(nights: readonly Night[], flakes: readonly Flake[]): HistoryReport['strips'] {
  const ids = checkIds(nights);
  const flaky = new Set(flakes.map(({ checkId }) => checkId));
  const rows = ids.flatMap((checkId): Strip[] => {
    const states = nights.map((night) => (night.counts ? checkState(night, checkId) : 'none'));
    const failed = states.filter((state) => state === 'fail' || state === 'flaky').length;
    if (!states.some((state) => isDecided(state) && state !== 'pass')) return [];
    const last = looksOf(nights, checkId).at(-1)?.state ?? 'none';
    return [{ checkId, states, failed, flaky: flaky.has(checkId), last }];
  });
  const rank = ({ last }: Strip) => Math.min(State.options.indexOf(last), State.options.indexOf('open'));
  const worstFirst = (a: Strip, b: Strip) =>
    Number(b.cause ?? false) - Number(a.cause ?? false) ||
    rank(a) - rank(b) ||
    b.failed - a.failed ||
    (a.checkId < b.checkId ? -1 : 1);
  return { rows: [...causeRows(nights), ...rows].sort(worstFirst), of: ids.length };
}
