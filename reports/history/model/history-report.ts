import { isOutside, type RequirementSets } from '../../../lib/contract/requirement-sets.ts';
import { defined } from '../../../lib/defined.ts';
import { duration } from '../../../lib/numbers.ts';
import { Mode } from '../../../lib/records/vocabulary.ts';
import { median } from '../../../lib/stats/trend.ts';
import type { History } from '../file/read.ts';
import { failingOf, noLongerOf } from './failing.ts';
import { changesBetween, hasLooked, type Night, newestFirst, nightsOf, type Selection, sinceOf } from './nights.ts';
import { type FailingCause, HISTORY_REPORT_VERSION, type HistoryReport } from './schema.ts';
import { seriesOf } from './series.ts';
import { flakesOf, stripsOf } from './strips.ts';

type Named = Pick<FailingCause, 'id' | 'title'>;

/** A refusal with another status is another failure, as a baseline sees it. */
const statusOf = ({ id, title }: Named) => (/ refused: /.test(id) ? / answers (\d{3})\b/.exec(title)?.[1] : undefined);
const isSame = (a: Named, b: Named): boolean => a.id === b.id && statusOf(a) === statusOf(b);

/** Causes that fail now, each since its first bad night; the newest first. */
export function failingCausesOf(nights: readonly Night[], sets?: RequirementSets): FailingCause[] {
  const checked = nights.filter(({ line, counts }) => counts && line.families.length > 0);
  const newest = checked.at(-1);
  if (newest === undefined) return [];
  return newest.line.causes
    .flatMap((now): FailingCause[] => {
      const { id, title, results, expected = false, checks = [] } = now;
      const isThere = ({ line }: Night) => line.causes.some((cause) => isSame(cause, now));
      // A night that did not look, or was allowed to do less, shows no failure and no mend.
      const looked = checked.filter(
        (night) =>
          isThere(night) ||
          (Mode.options.indexOf(night.line.mode) >= Mode.options.indexOf(newest.line.mode) && hasLooked(night, checks)),
      );
      const since = sinceOf(looked, (night) => !isThere(night));
      if (since === undefined) return [];
      const before = checked.find(({ line }) => line.run === since.lastGood?.run);
      const [requirement = ''] = id.split(' ');
      const cause = { ...since, id, title, results, expected, checks };
      if (!isOutside(before?.line.requirements, requirement, sets)) return [cause];
      const why = `${requirement} is new in the set, and fails for that reason alone`;
      return [{ ...cause, changes: [...since.changes, why], newRequirement: true }];
    })
    .sort(newestFirst(({ results }) => results));
}

const DAY_MS = 86_400_000;

/** Nights before from which on a length is unusual, and how many times their median. */
const LEAST_BEFORE = 3;
const UNUSUAL = 2;

/** How much longer a night took than those before it that were asked the same, if that is unusual. */
function slowerOf(nights: readonly Night[], at: number): string[] {
  const { line, counts } = nights[at] as Night;
  const before = nights.slice(0, at).filter((night) => night.counts && night.line.plan === line.plan);
  const times = line.seconds / median(before.map((night) => night.line.seconds));
  if (!counts || before.length < LEAST_BEFORE || !(times > UNUSUAL)) return [];
  return [`took ${duration(line.seconds * 1000)}, ${times.toFixed(1)} times the median of the nights before`];
}

function nightRow(nights: readonly Night[], at: number) {
  const { line, counts } = nights[at] as Night;
  const before = nights[at - 1]?.line;
  const { run, folder, exit, command, mode, seconds, reasons, tool, said } = line;
  return {
    ...{ run, at: line.at, counts, exit, command, mode, seconds, reasons, tool, said },
    failing: line.causes.reduce((sum, { results }) => sum + results, 0),
    changes: [...(before === undefined ? [] : changesBetween(before, line)), ...slowerOf(nights, at)],
    ...defined({ folder }),
  };
}

function lastGreen(nights: readonly Night[]) {
  const newest = nights.at(-1)?.line.at;
  const green = nights.findLast(({ line, counts }) => counts && line.exit === 0)?.line;
  if (green === undefined || newest === undefined) return null;
  return { run: green.run, at: green.at, days: Math.floor((Date.parse(newest) - Date.parse(green.at)) / DAY_MS) };
}

/** Failures that the newest counted night expects, by owner and last day, soonest first. */
function expectedOf(nights: readonly Night[]) {
  const newest = nights.findLast(({ line, counts }) => counts && line.expected !== undefined)?.line;
  const today = (nights.at(-1)?.line.at ?? '').slice(0, 10);
  return [...(newest?.expected ?? [])]
    .sort((a, b) => (a.expires < b.expires ? -1 : 1))
    .map((entry) => ({ ...entry, expired: entry.expires !== '' && entry.expires < today }));
}

/** Everything that is told of a history: a function of its lines. */
export function historyReport({ lines, skipped }: History, selection: Selection): HistoryReport {
  const { nights, target, others } = nightsOf(lines, selection);
  const flakes = flakesOf(nights);
  const failingCauses = failingCausesOf(nights);
  const explained = new Set(failingCauses.flatMap(({ checks }) => checks));
  return {
    historyVersion: HISTORY_REPORT_VERSION,
    target,
    otherTargets: others,
    skipped: [...skipped],
    nights: nights.map((_night, at) => nightRow(nights, at)),
    counted: nights.filter(({ counts }) => counts).length,
    checked: nights.some(({ line }) => line.families.length > 0),
    lastGreen: lastGreen(nights),
    failingCauses,
    failing: failingOf(nights).filter(({ checkId }) => !explained.has(checkId)),
    noLonger: noLongerOf(nights),
    flakes,
    expected: expectedOf(nights),
    strips: stripsOf(nights, flakes),
    series: seriesOf(nights),
  };
}
