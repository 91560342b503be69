import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { BaselineOutcome, BaselineReport } from '../../records/baseline.ts';
import { resultKey } from '../../records/conformance.ts';
import type { ConformanceReport } from '../../records/report.ts';
import { some } from '../../text.ts';
import type { Scope } from '../scope.ts';
import { entryName } from './known.ts';
import { flakyShare } from './retry.ts';

interface Reason {
  readonly code: ExitCode;
  readonly text: string;
}

const requirementsOf = (results: ConformanceReport['results']) => [
  ...new Set(results.map(({ requirement }) => requirement)),
];

function plainReasons({ results, counts }: ConformanceReport, scope: Scope): Reason[] {
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  return [
    ...(failed.length === 0
      ? []
      : [
          {
            code: EXIT.failed,
            text: `${failed.length} results failed${flakyShare(failed)}: ${some(requirementsOf(failed))}`,
          },
        ]),
    ...(scope.strict && counts.warn > 0
      ? [{ code: EXIT.failed, text: `${counts.warn} warnings, and the run is strict` }]
      : []),
  ];
}

function baselineReasons({ results }: ConformanceReport, baseline: BaselineReport): Reason[] {
  const unexpected = new Set(baseline.unexpected);
  const fresh = results.filter((result) => unexpected.has(resultKey(result)));
  const entries = (outcome: BaselineOutcome) => baseline.entries.filter((entry) => entry.outcome === outcome);
  const named = (outcome: BaselineOutcome) => some(entries(outcome).map(entryName));
  const [expected, stale] = [entries('expected'), entries('stale')];
  const [expired, unused] = [entries('expired'), entries('unused')];
  return [
    ...(fresh.length === 0
      ? []
      : [
          {
            code: EXIT.failed,
            text: `${fresh.length} failures that were not expected${flakyShare(fresh)}: ${some(requirementsOf(fresh))}`,
          },
        ]),
    ...(stale.length === 0
      ? []
      : [
          {
            code: EXIT.failed,
            text: `a baseline is stale: ${stale.length} of its entries pass now: ${named('stale')}`,
          },
        ]),
    ...(expired.length === 0
      ? []
      : [{ code: EXIT.failed, text: `${expired.length} entries of the baseline have expired: ${named('expired')}` }]),
    ...(expected.length === 0
      ? []
      : [{ code: EXIT.ok, text: `${expected.length} entries of the baseline fail as expected: ${named('expected')}` }]),
    ...(unused.length === 0
      ? []
      : [
          {
            code: EXIT.ok,
            text: `${unused.length} entries of the baseline were decided by no result: ${named('unused')}`,
          },
        ]),
  ];
}

/** Why failures end the run with exit 1: all of them, or with a baseline only those that it does not expect, and its own faults. */
export function failureReasons(part: ConformanceReport, scope: Scope): Reason[] {
  return part.baseline === undefined ? plainReasons(part, scope) : baselineReasons(part, part.baseline);
}
