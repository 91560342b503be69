import { isOutside } from '../../../contract/requirement-sets.ts';
import { fits } from '../../../glob.ts';
import type { BaselineEntry, BaselineReport, Known } from '../../../records/baseline.ts';
import { type ConformanceResult, type ExchangeRecord, resultKey } from '../../../records/conformance.ts';
import type { ConformanceReport, Report, ResultReport } from '../../../records/report.ts';
import type { Verdict } from '../../../records/vocabulary.ts';
import { some, verdictWord } from '../../../text.ts';
import { requirementPattern } from '../cause/failure.ts';
import { answerMark, answerOf, shownOf } from '../cause/shown.ts';

export const namesIn = (names: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof names === 'string' ? [names] : names;

const anyFits = (names: readonly string[] | undefined, text: string) =>
  names === undefined || names.some((name) => fits(name, text));

export function fitsPlace(
  entry: BaselineEntry,
  { checkId, family, variant }: Pick<ConformanceResult, 'checkId' | 'family' | 'variant'>,
): boolean {
  const isHere = anyFits(namesIn(entry.check), checkId) && anyFits(namesIn(entry.family), family);
  return isHere && (entry.variant ?? variant) === variant;
}

/** Status of the answer that a refusal names; undefined for other failures. */
export function answeredStatus({
  failure,
  observed = '',
}: Pick<ResultReport, 'failure' | 'observed'>): number | undefined {
  const status = failure?.kind === 'refused' ? / answered (\d{3})\b/.exec(observed)?.[1] : undefined;
  return status === undefined ? undefined : Number(status);
}

export function expects(
  entry: BaselineEntry,
  result: Pick<ResultReport, 'checkId' | 'family' | 'variant' | 'requirement' | 'failure' | 'observed'>,
): boolean {
  const { failure } = result;
  const fitsAll = (names: BaselineEntry['subject'], text: string | undefined) =>
    names === undefined || (text !== undefined && anyFits(namesIn(names), text));
  const status = answeredStatus(result);
  return (
    (entry.answers === undefined || status === undefined || [entry.answers].flat().includes(status)) &&
    fitsAll(entry.requirement, requirementPattern(result)) &&
    fitsAll(entry.operation, failure?.operation) &&
    fitsAll(entry.kind, failure?.kind) &&
    fitsAll(entry.subject, failure?.subject) &&
    fitsPlace(entry, result)
  );
}

/** True if the entry could have named a result if it had failed: its kind of difference is not known. */
export const couldExpect = (entry: BaselineEntry, result: ConformanceResult): boolean =>
  anyFits(namesIn(entry.requirement), requirementPattern(result)) && fitsPlace(entry, result);

const AGAINST: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'inconclusive', 'blocked']);

/** True for a result that speaks against the target, or is open, by a requirement that came after a set. */
export const isOfLater = (
  { verdict, requirement }: Pick<ConformanceResult, 'verdict' | 'requirement'>,
  set: string | undefined,
): boolean => AGAINST.has(verdict) && isOutside(set, requirement);

/**
 * A failure that does not fail the run, as it was told to expect it, or the baseline is older than its requirement; or what such a
 * failure keeps from being proven: no reason to look again.
 */
export const isExpected = ({ verdict, known }: ResultReport): boolean =>
  known?.outcome === 'consequence' ||
  known?.outcome === 'new-requirement' ||
  (known?.outcome === 'expected' && (verdict === 'fail' || verdict === 'warn'));

/** What fails by a requirement that the set of the baseline lacks. */
export const NEW_IN_SUITE = 'new in the suite';

/** What a reader is told of a resource: failed, if not everything that fails in it is expected. */
export function resourceWord(
  { name, verdict }: Pick<ConformanceReport['families'][number], 'name' | 'verdict'>,
  results: readonly ResultReport[],
) {
  const known = results.flatMap((result) => (result.family === name && result.known?.outcome) || []);
  if (verdict !== 'non-conformant' || known.includes('unexpected') || known.includes('expired'))
    return verdictWord(verdict);
  if (known.includes('new-requirement')) return NEW_IN_SUITE;
  return known.includes('expected') ? 'as expected' : verdictWord(verdict);
}

const PLACEHOLDER = /^TODO\b/;

const given = (text: string | undefined) => (text === undefined || PLACEHOLDER.test(text) ? undefined : text);

/** True if nobody has written yet why the entry's failure is expected. */
export const isReasonMissing = ({ reason }: Pick<BaselineEntry, 'reason'>): boolean => given(reason) === undefined;

/** What the baseline says of a result, in one line: `expected: reason (owner, link, until 2026-12-31)`. */
export function knownWords({ outcome, reason, owner, link, expires }: Known): string {
  if (outcome === 'unexpected') return 'new: no baseline entry expects it';
  if (outcome === 'consequence') return 'unclear because of an expected failure';
  if (outcome === 'new-requirement') return `${NEW_IN_SUITE}: the baseline was written before this requirement`;
  const until = expires === undefined ? [] : [`${outcome === 'expired' ? 'expired' : 'until'} ${expires}`];
  const who = [...[given(owner), given(link)].filter((word) => word !== undefined), ...until];
  return `${outcome}: ${given(reason) ?? 'reason missing'} (${who.join(', ')})`;
}

const MARKS: Readonly<Record<string, string>> = {
  unexpected: 'new',
  consequence: 'follows from an expected failure',
  'new-requirement': NEW_IN_SUITE,
};

export const knownMark = ({ outcome }: Known): string => MARKS[outcome] ?? outcome;

const words = (names: BaselineEntry['family']) => some(namesIn(names) ?? [], 2);

/** Name of a baseline entry: what it expects, in which families, and its variant. */
export function entryName({ requirement, operation, kind, subject, check, family, variant }: BaselineEntry) {
  const failing = [words(requirement), words(operation), words(kind)].filter((text) => text !== '').join(' ');
  if (failing !== '') {
    const about = subject === undefined ? '' : `: ${words(subject)}`;
    const where = family === '*' ? ' in any family' : family === undefined ? '' : ` in ${words(family)}`;
    return `${failing}${about}${where}${variant === undefined ? '' : ` ${variant}`}`;
  }
  return [words(check), words(family), variant ?? ''].filter((text) => text !== '').join(' ');
}

/** An entry with what is there instead of what it names: `LST-FILT list refused: filter name.EQ in sgt: expected 400, is 500`. */
export function changedName(entry: BaselineReport['entries'][number]): string {
  const { answers, kind, instead = [] } = entry;
  const isStatus = answers !== undefined && instead.every((one) => /^\d+$/.test(one));
  const named = isStatus ? [answers].flat().join(', ') : words(kind);
  return `${entryName(entry)}: expected ${named}, is ${instead.join(', ')}`;
}

/** Baseline entries by outcome, as they are named in reports; undefined if the run had no baseline. */
export function baselineUpkeep(report: Report) {
  const baseline = report.conformance?.baseline;
  if (baseline === undefined) return undefined;
  const named = (outcome: BaselineReport['entries'][number]['outcome']) =>
    baseline.entries.filter((entry) => entry.outcome === outcome).map(entryName);
  return {
    expected: named('expected'),
    stale: named('stale'),
    expired: named('expired'),
    changed: baseline.entries.filter(({ outcome }) => outcome === 'changed').map(changedName),
    unused: named('unused'),
    reasonMissing: baseline.entries.filter(isReasonMissing).map(entryName),
  };
}

/** Finds the result that a blocked one waits for in the end; undefined if it names none that is recorded. */
export function rootOf(
  results: readonly ConformanceResult[],
): (result: ConformanceResult) => ConformanceResult | undefined {
  const byKey = new Map(results.map((result) => [resultKey(result), result]));
  return (result) => {
    const seen = new Set<string>();
    let root: ConformanceResult | undefined = result;
    while (root?.blockedBy !== undefined && !seen.has(root.blockedBy)) {
      seen.add(root.blockedBy);
      root = byKey.get(root.blockedBy);
    }
    return root === result ? undefined : root;
  };
}

/** What was asked and refused, in the shape in which it is asked again. */
const refusalOf = (exchange: ExchangeRecord) =>
  [exchange.family, exchange.operation, answerMark({ exchange, ...answerOf(exchange) })].join('|');

/**
 * Keys of the results that are not proven because of an expected failure: blocked by it, resting on a request that is refused in the
 * same way, naming an answer that it names, or in a family that the baseline names as `unproven`; never an error of the harness.
 */
export function consequencesOf(
  results: readonly ConformanceResult[],
  expected: ReadonlySet<string>,
  exchanges: ReadonlyMap<string, ExchangeRecord>,
  unproven: readonly string[] = [],
): string[] {
  const root = rootOf(results);
  const refusals = new Set(
    results
      .filter((result) => result.verdict === 'fail' && expected.has(resultKey(result)))
      .flatMap((result) => shownOf(result, exchanges) ?? [])
      .flatMap(({ refused, exchange }) => (refused ? [refusalOf(exchange)] : [])),
  );
  const answers = results
    .filter((result) => result.verdict === 'fail' && expected.has(resultKey(result)))
    .flatMap(({ observed }) => (observed !== undefined && / answered \d/.test(observed) ? [observed] : []));
  return results
    .filter((result) => {
      const { verdict, family, evidence, reason } = result;
      if (verdict !== 'blocked' && verdict !== 'inconclusive') return false;
      const first = root(result);
      if (first?.verdict === 'fail' || first?.verdict === 'warn') return expected.has(resultKey(first));
      // A result that waits for one that was not decided rests on what that one rests on.
      const sent = [...evidence, ...(first?.evidence ?? [])].flatMap((id) => exchanges.get(id) ?? []);
      const words = [reason, first?.reason].join(' ');
      if (answers.some((answer) => words.includes(answer))) return true;
      return unproven.some((name) => fits(name, family)) || sent.some((exchange) => refusals.has(refusalOf(exchange)));
    })
    .map(resultKey);
}
