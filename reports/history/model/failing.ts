import { groupBy } from '../../../lib/group-by.ts';
import { percent } from '../../../lib/numbers.ts';
import { LEAST_VALUES } from '../../../lib/stats/change-points.ts';
import type { LineResult } from '../record/compact.ts';
import { checkIds, checkResults, isDecided, type Night, newestFirst, sinceOf, stateOf } from './nights.ts';
import type { Failing, HistoryReport } from './schema.ts';
import { RECENT_NIGHTS, worseOf } from './series.ts';
import { looksOf } from './strips.ts';

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
    .map(({ name, metric, size, at }) => {
      return `worse: ${name}: ${metric} ${percent(Math.abs(size))} worse since ${at.slice(0, 10)}`;
    });
  const { flaky } = failOn;
  const flakes = report.flakes.filter(
    ({ rate, nights }) => flaky !== undefined && nights >= LEAST_VALUES && rate > flaky,
  );
  return [
    ...(failOn.new ? fresh : []),
    ...(failOn.worse ? worse : []),
    ...flakes.map(({ checkId, rate, nights }) => `flaky: ${checkId} in ${percent(rate)} of ${nights} nights`),
  ];
}

const keyOf = ({ family, variant }: LineResult) => [family, variant].join(' ').trim();

function looksByResult(nights: readonly Night[], checkId: string) {
  const looks = nights.flatMap((night) =>
    checkResults(night, checkId).map((result) => ({ ...night, key: keyOf(result), state: stateOf(result.letter) })),
  );
  const decided = looks.filter(({ counts, state }) => counts && isDecided(state));
  return groupBy(decided, ({ key }) => key);
}

/** Everything that failed when it was last decided, by check and first bad night; what fails since the latest night first. */
export function failingOf(nights: readonly Night[]): Failing[] {
  const titles = new Map(nights.flatMap(({ line }) => line.causes.map(({ id, title }) => [id, title] as const)));
  const found = checkIds(nights).flatMap((checkId) => {
    if (looksOf(nights, checkId).every(({ state }) => state === 'pass')) return [];
    const stretches = [...looksByResult(nights, checkId)].flatMap(([key, looks]) => {
      const last = looks.at(-1)?.state;
      const since =
        last === 'fail' || last === 'expected' ? sinceOf(looks, ({ state }) => state === 'pass') : undefined;
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

const decided = (night: Night) =>
  checkIds([night]).flatMap((id) =>
    checkResults(night, id).flatMap((result) => (isDecided(stateOf(result.letter)) ? [nameOf(result)] : [])),
  );

/** What the newest counted night leaves undecided of what the one before it decided, where both were asked the same. */
export function noLongerOf(nights: readonly Night[]): string[] {
  const [before, newest] = nights.filter(({ line, counts }) => counts && line.families.length > 0).slice(-2);
  if (before === undefined || newest === undefined || before.line.plan !== newest.line.plan) return [];
  const now = new Set(decided(newest));
  return decided(before).filter((key) => !now.has(key));
}
