import { defined } from '../../../defined.ts';
import { fits, isPattern } from '../../../glob.ts';
import type { Baseline, BaselineEntry, BaselineOutcome, BaselineReport, Known } from '../../../records/baseline.ts';
import { type ConformanceResult, type ExchangeRecord, resultKey } from '../../../records/conformance.ts';
import type { ResultReport } from '../../../records/report.ts';
import type { Scope } from '../../scope.ts';
import { failureOf } from '../cause/failure.ts';
import { seesLess } from '../coverage.ts';
import { isFailing } from '../unproven.ts';
import { answeredStatus, consequencesOf, couldExpect, expects, fitsPlace, isOfLater, namesIn } from './known.ts';

const DAY = 'YYYY-MM-DD'.length;

const isBad = ({ verdict }: ConformanceResult) => isFailing(verdict, true);

export interface Judged {
  readonly results: readonly ResultReport[];
  /** What was sent, by id; empty if only the report is at hand. */
  readonly exchanges: ReadonlyMap<string, ExchangeRecord>;
  readonly startedAt: string;
  readonly scope: Pick<Scope, 'families' | 'someChecks' | 'strict' | 'mode' | 'depth'>;
}

/** Results that show if an entry still fails: all of a check, as one that may blame several requirements passes under another. */
function resultsAbout(entry: BaselineEntry, results: readonly ConformanceResult[]): readonly ConformanceResult[] {
  const there = results.filter((result) => fitsPlace(entry, result));
  const about = there.filter((result) => couldExpect(entry, result));
  const named = new Set(about.map(({ checkId }) => checkId));
  const hasChecks = namesIn(entry.check)?.every((name) => !isPattern(name)) ?? false;
  return hasChecks ? [...about, ...there.filter(({ checkId }) => !named.has(checkId))] : about;
}

/** True if a result that the entry may have named got no verdict because of a request that the entry names, or of an unknown one. */
function isBlocked(entry: BaselineEntry, { results, exchanges }: Judged): boolean {
  const operations = namesIn(entry.operation);
  return results.some((result) => {
    if (!['blocked', 'error'].includes(result.verdict) || !couldExpect(entry, result)) return false;
    const sent = result.evidence.flatMap((id) => exchanges.get(id)?.operation ?? []);
    return (
      operations === undefined || sent.length === 0 || sent.some((one) => operations.some((name) => fits(name, one)))
    );
  });
}

/** True if the run decided all that an entry names: a narrowed run, or one that got no answer, cannot call it stale. */
function isDecided(entry: BaselineEntry, judged: Judged): boolean {
  const { results, scope } = judged;
  if (isBlocked(entry, judged)) return false;
  const passed = resultsAbout(entry, results).filter(({ verdict }) => verdict === 'pass');
  const [families, checks] = [namesIn(entry.family), namesIn(entry.check)];
  const anyFamily = families === undefined || families.some(isPattern);
  const anyCheck = checks === undefined || checks.some(isPattern);
  if (anyFamily ? scope.families !== null : !families.every((name) => passed.some(({ family }) => family === name)))
    return false;
  if (anyCheck ? scope.someChecks : !checks.every((id) => passed.some(({ checkId }) => checkId === id))) return false;
  return passed.length > 0;
}

/** What is there instead of the failure that an entry names: another status, or another kind of difference in the same place. */
function insteadOf({ answers: _, kind: __, ...place }: BaselineEntry, failing: readonly ConformanceResult[]): string[] {
  const here = failing.filter((result) => expects(place, result));
  return [...new Set(here.map((result) => String(answeredStatus(result) ?? failureOf(result).kind)))];
}

function outcomeOf(
  entry: BaselineEntry,
  { own, instead, isLess }: Record<'own' | 'instead', readonly unknown[]> & { readonly isLess: boolean },
  judged: Judged,
): BaselineOutcome {
  const today = judged.startedAt.slice(0, DAY);
  if (own.length > 0) return today > entry.expires ? 'expired' : 'expected';
  if (instead.length > 0) return 'changed';
  return !isLess && isDecided(entry, judged) ? 'stale' : 'unused';
}

/**
 * Holds results against the failures that were expected on the day the run began. Only failures that fail the run can be unexpected,
 * and only those of a requirement that was there when the baseline was written.
 */
export function judgeBaseline(baseline: Baseline, judged: Judged): BaselineReport {
  const { results, scope } = judged;
  const { least } = baseline;
  const isLess = seesLess(least, scope).length > 0;
  const failing = results.filter(isBad);
  const entries = baseline.entries.map((entry) => {
    const own = failing.filter((result) => expects(entry, result));
    const instead = own.length > 0 ? [] : insteadOf(entry, failing);
    return {
      ...entry,
      outcome: outcomeOf(entry, { own, instead, isLess }, judged),
      results: own.map(resultKey),
      ...(instead.length === 0 ? {} : { instead }),
    };
  });
  const holding = entries.filter(({ outcome }) => outcome === 'expected');
  const expected = new Set(holding.flatMap((entry) => entry.results));
  const named = new Set(entries.flatMap((entry) => entry.results));
  const later = results
    .filter((result) => isOfLater(result, least?.requirements))
    .map(resultKey)
    .filter((key) => !named.has(key));
  const excused = new Set([...expected, ...later]);
  const unproven = holding.flatMap((entry) => namesIn(entry.unproven) ?? []);
  return {
    file: baseline.file,
    ...defined({ least, newRequirements: later.length === 0 ? undefined : later }),
    entries,
    unexpected: results
      .filter(({ verdict }) => isFailing(verdict, scope.strict))
      .map(resultKey)
      .filter((key) => !excused.has(key)),
    consequences: consequencesOf(results, excused, judged.exchanges, unproven),
  };
}

type Entry = BaselineReport['entries'][number];

/** The entry that says something of a result: one that names its failure, or one that is stale where it passes. */
function entryFor(result: ConformanceResult, entries: readonly Entry[]): Entry | undefined {
  if (isBad(result)) {
    // An entry that is expected says more than one that has expired for the same result.
    const own = entries.filter((entry) => entry.results.includes(resultKey(result)));
    return own.find(({ outcome }) => outcome === 'expected') ?? own[0];
  }
  if (result.verdict !== 'pass') return undefined;
  return entries.find((entry) => entry.outcome === 'stale' && couldExpect(entry, result));
}

/** Marks each result with what the baseline says of it, so that every report shows which failures are new. */
export function markKnown(results: readonly ResultReport[], baseline: BaselineReport): ResultReport[] {
  const unexpected = new Set(baseline.unexpected);
  const consequences = new Set(baseline.consequences);
  const later = new Set(baseline.newRequirements);
  return results.map((result) => {
    const key = resultKey(result);
    if (consequences.has(key)) return { ...result, known: { outcome: 'consequence' } };
    if (later.has(key)) return { ...result, known: { outcome: 'new-requirement' } };
    const entry = entryFor(result, baseline.entries);
    if (entry === undefined) return unexpected.has(key) ? { ...result, known: { outcome: 'unexpected' } } : result;
    const { outcome, reason, owner, link, expires } = entry;
    const known: Known = { outcome, expires, ...defined({ reason, owner, link }) };
    return { ...result, known };
  });
}
