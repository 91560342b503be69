import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { counted } from '../../numbers.ts';
import type { BaselineOutcome, BaselineReport } from '../../records/baseline.ts';
import { resultKey } from '../../records/conformance.ts';
import type { ConformanceReport } from '../../records/report.ts';
import { some } from '../../text.ts';
import type { Scope } from '../scope.ts';
import { entryName, isReasonMissing } from './baseline/known.ts';
import { flakyShare } from './retry.ts';

interface Reason {
  readonly code: ExitCode;
  readonly text: string;
}

/** `3 causes, 162 results`, with the names of the causes. */
function causeWords(causes: ConformanceReport['causes'], results: ConformanceReport['results']): string {
  const number = counted(results.length, 'result');
  return `${counted(causes.length, 'cause')}, ${number}${flakyShare(results)}: ${some(causes.map(({ id }) => id))}`;
}

const reason = (code: ExitCode, number: number, text: () => string): Reason[] =>
  number === 0 ? [] : [{ code, text: text() }];

function plainReasons({ results, counts, causes }: ConformanceReport, scope: Scope): Reason[] {
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  const { warn } = counts;
  return [
    ...reason(EXIT.failed, failed.length, () => `failed: ${causeWords(causes, failed)}`),
    ...(scope.strict ? reason(EXIT.failed, warn, () => `${counted(warn, 'warning')} in a strict run`) : []),
  ];
}

const ENTRY = ['baseline entry', 'baseline entries'] as const;

function baselineReasons({ results, causes }: ConformanceReport, baseline: BaselineReport): Reason[] {
  const unexpected = new Set(baseline.unexpected);
  const fresh = results.filter((result) => unexpected.has(resultKey(result)));
  const named = (outcome: BaselineOutcome, code: ExitCode, one: string, several: string) => {
    const entries = baseline.entries.filter((entry) => entry.outcome === outcome);
    const verb = entries.length === 1 ? one : several;
    return reason(
      code,
      entries.length,
      () => `${counted(entries.length, ...ENTRY)} ${verb}: ${some(entries.map(entryName))}`,
    );
  };
  const unexplained = baseline.entries.filter(isReasonMissing);
  const [expected, consequences] = [causes.filter((cause) => cause.expected), baseline.consequences.length];
  const share = expected.reduce((sum, cause) => sum + cause.results.length, 0);
  return [
    ...reason(EXIT.failed, fresh.length, () => {
      const fewer = causes.filter((cause) => !cause.expected);
      return `new failures: ${causeWords(fewer, fresh)}`;
    }),
    ...named('stale', EXIT.failed, 'is stale and passes now', 'are stale and pass now'),
    ...named('expired', EXIT.failed, 'has expired', 'have expired'),
    ...reason(
      EXIT.ok,
      share,
      () =>
        `as expected: ${counted(expected.length, 'cause')}, ${counted(share, 'result')} failed` +
        `${consequences === 0 ? '' : `, ${counted(consequences, 'result')} not proven because of them`}`,
    ),
    ...named('unused', EXIT.ok, 'was not decided by this run', 'were not decided by this run'),
    ...reason(EXIT.ok, unexplained.length, () => `${counted(unexplained.length, ...ENTRY)} without a reason`),
  ];
}

/** Why failures end the run with exit 1: all of them, or with a baseline only those that it does not expect, and its own faults. */
export function failureReasons(part: ConformanceReport, scope: Scope): Reason[] {
  return part.baseline === undefined ? plainReasons(part, scope) : baselineReasons(part, part.baseline);
}
