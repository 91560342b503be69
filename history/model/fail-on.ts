import { percent } from '../../lib/numbers.ts';
import { LEAST_VALUES } from '../../lib/stats/change-points.ts';
import type { HistoryReport, Since } from './schema.ts';
import { RECENT_NIGHTS } from './series.ts';

/** What ends `history` with exit 1. */
export interface FailOn {
  readonly new: boolean;
  readonly worse: boolean;
  readonly flaky?: number;
}

/** Reads `new,worse,flaky>5%`; null where it says anything else. */
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

/** Why the history fails; none where it does not. */
export function failures(report: HistoryReport, failOn: FailOn): readonly string[] {
  const newest = report.nights.findLast(({ counts }) => counts)?.run;
  const isNew = ({ expected, lastGood, firstBad }: Since) =>
    !expected && lastGood !== undefined && firstBad.run === newest;
  const fresh = [
    ...report.failingCauses
      .filter((cause) => isNew(cause) && cause.checks.length > 0 && cause.newRequirement !== true)
      .map(({ title }) => `new: ${title}`),
    ...report.failing.filter(isNew).map(({ checkId, results }) => `new: ${checkId} fails on ${results.join(', ')}`),
  ];
  const worse = report.series.flatMap(({ name, changes }) =>
    (changes ?? [])
      .filter((change) => change.worse && change.nights <= RECENT_NIGHTS)
      .map(
        ({ metric, size, at }) => `worse: ${name}: ${metric} ${percent(Math.abs(size))} worse since ${at.slice(0, 10)}`,
      ),
  );
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
