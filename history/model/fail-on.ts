import { percent } from '../../lib/numbers.ts';
import { LEAST_VALUES } from '../../lib/stats/change-points.ts';
import { unexpectedOf } from './failing.ts';
import type { HistoryReport } from './schema.ts';
import { RECENT_NIGHTS, worseOf } from './series.ts';

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
