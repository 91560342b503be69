import type { Baseline, BaselineEntry, BaselineOutcome, BaselineReport } from '../../lib/records/baseline.ts';
import { type ConformanceResult, resultKey } from '../../lib/records/conformance.ts';

const DAY = 'YYYY-MM-DD'.length;

function speaksOf(entry: BaselineEntry, { checkId, family, variant }: ConformanceResult): boolean {
  return entry.check === checkId && entry.family === family && (entry.variant ?? variant) === variant;
}

const isFailing = ({ verdict }: ConformanceResult) => verdict === 'fail' || verdict === 'warn';

function outcomeOf(entry: BaselineEntry, own: readonly ConformanceResult[], today: string): BaselineOutcome {
  if (own.some(isFailing)) return today > entry.expires ? 'expired' : 'expected';
  return own.some(({ verdict }) => verdict === 'pass') ? 'stale' : 'unused';
}

/**
 * Holds results against the failures that were expected on the day the run began. Only failures of results that `fails`
 * says count can be unexpected.
 */
export function judgeBaseline(
  baseline: Baseline,
  results: readonly ConformanceResult[],
  run: { readonly startedAt: string; readonly fails: (result: ConformanceResult) => boolean },
): BaselineReport {
  const today = run.startedAt.slice(0, DAY);
  const entries = baseline.entries.map((entry) => {
    const own = results.filter((result) => speaksOf(entry, result));
    return { ...entry, outcome: outcomeOf(entry, own, today), results: own.filter(isFailing).map(resultKey) };
  });
  const expected = new Set(entries.filter(({ outcome }) => outcome === 'expected').flatMap((entry) => entry.results));
  const unexpected = results.filter(run.fails).map(resultKey);
  return { file: baseline.file, entries, unexpected: unexpected.filter((key) => !expected.has(key)) };
}
