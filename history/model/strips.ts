import { looksOf } from './flakes.ts';
import { checkIds, checkState, type Night } from './nights.ts';
import type { Flake, HistoryReport, State, Strip } from './schema.ts';

/** Rows of the causes that any night names; a night without it passed if it ran checks at all. */
function causeRows(nights: readonly Night[], cause: string | undefined): Strip[] {
  const ids = new Set(nights.filter(({ counts }) => counts).flatMap(({ line }) => line.causes.map(({ id }) => id)));
  return [...ids]
    .filter((id) => cause === undefined || id.includes(cause))
    .map((id) => {
      const states = nights.map(({ line, counts }): State => {
        if (!counts || line.families.length === 0) return 'none';
        return line.causes.some((one) => one.id === id) ? 'fail' : 'pass';
      });
      const failed = states.filter((state) => state === 'fail').length;
      const last = states.findLast((state) => state !== 'none') ?? 'none';
      return { checkId: id, cause: true, states, failed, flaky: false, last };
    });
}

/** Rows of all causes and checks that were ever anything but passed, worst first: what fails now, what fails most. `of` is the number of all checks. */
export function stripsOf(nights: readonly Night[], flakes: readonly Flake[], cause?: string): HistoryReport['strips'] {
  const ids = checkIds(nights).filter((id) => cause === undefined || id.includes(cause));
  const flaky = new Set(flakes.map(({ checkId }) => checkId));
  const rows = ids.flatMap((checkId): Strip[] => {
    const states = nights.map((night) => (night.counts ? checkState(night, checkId) : 'none'));
    const failed = states.filter((state) => state === 'fail' || state === 'flaky').length;
    if (!states.some((state) => state !== 'pass' && state !== 'none' && state !== 'open')) return [];
    const last = looksOf(nights, checkId).at(-1)?.state ?? 'none';
    return [{ checkId, states, failed, flaky: flaky.has(checkId), last }];
  });
  const rank = ({ last }: Strip) => (last === 'fail' ? 0 : last === 'flaky' ? 1 : last === 'expected' ? 2 : 3);
  return {
    rows: [...causeRows(nights, cause), ...rows].sort(
      (a, b) =>
        Number(b.cause ?? false) - Number(a.cause ?? false) ||
        rank(a) - rank(b) ||
        b.failed - a.failed ||
        (a.checkId < b.checkId ? -1 : 1),
    ),
    of: ids.length,
  };
}
