import { isOutside } from '../../../lib/contract/requirement-sets.ts';
import { defined } from '../../../lib/defined.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { Mode } from '../../../lib/records/vocabulary.ts';
import { LEAST_VALUES, median } from '../../../lib/stats/trend.ts';
import { duration, percent } from '../../../lib/text.ts';
import type { History } from '../file/append.ts';
import type { LineResult } from '../record/compact.ts';
import {
  changesBetween,
  checkIds,
  checkResults,
  hasLooked,
  isDecided,
  type Night,
  newestFirst,
  nightsOf,
  type Selection,
  sinceOf,
  stateOf,
} from './nights.ts';
import { type Failing, type FailingCause, HISTORY_REPORT_VERSION, type HistoryReport } from './schema.ts';
import { flakesOf, looksOf, RECENT_NIGHTS, seriesOf, stripsOf, worseOf } from './series.ts';

export interface FailOn {
  readonly new: boolean;
  readonly worse: boolean;
  readonly flaky?: number;
}

/** Reads `new,worse,flaky>5%`; null if it says anything else. */
export function readFailOn(text: string): FailOn | null {
  const read = { new: false, worse: false } as { new: boolean; worse: boolean; flaky?: number };
  for (const part of text.split(',').map((one) => one.trim())) {
    const share = /^flaky\s*>\s*(\d+(?:\.\d+)?)\s*%$/.exec(part)?.[1];
    if (part === 'new') read.new = true;
    else if (part === 'worse') read.worse = true;
    else if (share !== undefined && Number(share) <= 100) read.flaky = Number(share) / 100;
    else return null;
  }
  return read;
}

export function failures(report: HistoryReport, failOn: FailOn): readonly string[] {
  const newest = report.nights.findLast(({ counts }) => counts)?.run;
  const fresh = unexpectedOf(report)
    .filter((one) => one.lastGood !== undefined && one.firstBad.run === newest && !('newRequirement' in one))
    .map(({ said }) => `new: ${said}`);
  const worse = worseOf(report)
    .filter(({ nights }) => nights <= RECENT_NIGHTS)
    .map(
      (one) => `worse: ${one.name}: ${one.metric} ${percent(Math.abs(one.size))} worse since ${one.at.slice(0, 10)}`,
    );
  const { flaky } = failOn;
  const flakes = report.flakes.filter(
    ({ rate, nights }) => flaky !== undefined && nights >= LEAST_VALUES && rate > flaky,
  );
  return [
    ...(failOn.new ? fresh : []),
    ...(failOn.worse ? worse : []),
    ...flakes.map(({ checkId, rate, nights }) => `flaky: ${checkId} in ${percent(rate)} of ${nights} runs`),
  ];
}

const keyOf = ({ family, variant }: LineResult) => [family, variant].join(' ').trim();

function looksByResult(nights: readonly Night[], checkId: string) {
  const looks = nights.flatMap((night) =>
    checkResults(night, checkId).map((one) => ({ ...night, ...one, key: keyOf(one), state: stateOf(one.letter) })),
  );
  const decided = looks.filter(({ counts, state }) => counts && isDecided(state));
  return groupBy(decided, ({ key }) => key);
}

/** True if the check of a result that is there only if it fails passed later, in a night that was asked the same as one that had it. */
function isMended(nights: readonly Night[], looks: readonly (Night & LineResult)[]): boolean {
  const last = looks.at(-1);
  const later = nights.slice(nights.findIndex(({ line }) => line === last?.line) + 1);
  return later.some((night) => {
    const own = checkResults(night, last?.checkId ?? '').filter(({ family }) => family === last?.family);
    const isAlike = night.counts && looks.some(({ line }) => line.plan === night.line.plan);
    return isAlike && own.length > 0 && own.every(({ letter }) => stateOf(letter) === 'pass');
  });
}

/** Everything that failed when it was last decided, by check and first bad night; what fails since the latest night first. */
function failingOf(nights: readonly Night[]): Failing[] {
  const titles = new Map(nights.flatMap(({ line }) => line.causes.map(({ id, title }) => [id, title] as const)));
  const found = checkIds(nights).flatMap((checkId) => {
    if (looksOf(nights, checkId).every(({ state }) => state === 'pass')) return [];
    const stretches = [...looksByResult(nights, checkId)].flatMap(([key, looks]) => {
      const last = looks.at(-1)?.state;
      const isBad = (last === 'fail' || last === 'expected') && !isMended(nights, looks);
      const since = isBad ? sinceOf(looks, ({ state }) => state === 'pass') : undefined;
      return since === undefined ? [] : [{ ...since, key, expected: last === 'expected' }];
    });
    const groups = groupBy(stretches, ({ firstBad, lastGood }) => JSON.stringify([firstBad.run, lastGood?.run]));
    return [...groups.values()].map((group): Failing => {
      const { key: _, ...first } = group[0] as (typeof stretches)[number];
      return {
        ...{ ...first, checkId, title: titles.get(checkId) ?? checkId },
        results: group.map(({ key }) => key),
        expected: group.every(({ expected }) => expected),
        nights: Math.max(...group.map((one) => one.nights)),
      };
    });
  });
  return found.sort(newestFirst(({ results }) => results.length));
}

/** What fails and no baseline expects: causes that name checks, and checks that fail for none of them. */
export const unexpectedOf = ({ failingCauses, failing }: HistoryReport) => [
  ...failingCauses
    .filter(({ expected, checks }) => !expected && checks.length > 0)
    .map((cause) => ({ ...cause, name: cause.title, said: cause.title })),
  ...failing
    .filter(({ expected }) => !expected)
    .map((one) => ({ ...one, name: one.checkId, said: `${one.checkId} fails on ${one.results.join(', ')}` })),
];

const nameOf = ({ checkId, family, variant }: ReturnType<typeof checkResults>[number]) =>
  [checkId, family, variant].filter((text) => text !== '').join(' ');

const named = (night: Night, isOne: (state: ReturnType<typeof stateOf>) => boolean) =>
  checkIds([night]).flatMap((id) =>
    checkResults(night, id).flatMap((result) => (isOne(stateOf(result.letter)) ? [nameOf(result)] : [])),
  );

/** What the newest counted night leaves undecided of what the one before it decided, where both were asked the same. */
function noLongerOf(nights: readonly Night[]): string[] {
  const [before, newest] = nights.filter(({ line, counts }) => counts && line.families.length > 0).slice(-2);
  if (before === undefined || newest === undefined || before.line.plan !== newest.line.plan) return [];
  // Some results are there only if they fail: that they are gone is a mend.
  const open = new Set(named(newest, (state) => !isDecided(state)));
  return named(before, isDecided).filter((key) => open.has(key));
}

type Named = Pick<FailingCause, 'id' | 'title'>;

/** A refusal with another status is another failure, as a baseline sees it. */
const statusOf = ({ id, title }: Named) => (/ refused: /.test(id) ? / answers (\d{3})\b/.exec(title)?.[1] : undefined);
const isSame = (a: Named, b: Named): boolean => a.id === b.id && statusOf(a) === statusOf(b);

/** Causes that fail now, each since its first bad night; the newest first. */
function failingCausesOf(nights: readonly Night[]): FailingCause[] {
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
      if (!isOutside(before?.line.requirements, requirement)) return [cause];
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
  return [`took ${duration(line.seconds * 1000)}, ${times.toFixed(1)} times the median of the runs before`];
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
