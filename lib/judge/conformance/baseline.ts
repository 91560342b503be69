import type { Baseline, BaselineEntry, BaselineOutcome, BaselineReport, Known } from '../../records/baseline.ts';
import { type ConformanceResult, resultKey } from '../../records/conformance.ts';
import type { ResultReport } from '../../records/report.ts';

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

/** True where an entry of this outcome is about a result: the failures of one that fails, the passes of one that does not, and what left it undecided. */
function tellsOf(outcome: BaselineOutcome, result: ConformanceResult): boolean {
  if (outcome === 'expected' || outcome === 'expired') return isFailing(result);
  return outcome === 'stale' ? result.verdict === 'pass' : true;
}

/** Marks each result with what the baseline says of it, so that every report shows which failures are new. */
export function markKnown(results: readonly ConformanceResult[], baseline: BaselineReport): ResultReport[] {
  const unexpected = new Set(baseline.unexpected);
  // An entry that is expected says more than one that has expired for the same result.
  const entries = [...baseline.entries].sort(
    (a, b) => Number(b.outcome === 'expected') - Number(a.outcome === 'expected'),
  );
  return results.map((result) => {
    const entry = entries.find((one) => speaksOf(one, result) && tellsOf(one.outcome, result));
    const isNew = entry === undefined && unexpected.has(resultKey(result));
    if (entry === undefined) return isNew ? { ...result, known: { outcome: 'unexpected' } } : result;
    const { outcome, reason, owner, link, expires } = entry;
    const known: Known = { outcome, reason, owner, link, expires };
    return { ...result, known };
  });
}
