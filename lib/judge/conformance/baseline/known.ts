import { isOutside, type RequirementSets } from '../../../contract/requirement-sets.ts';
import { fits } from '../../../glob.ts';
import type { BaselineEntry, BaselineReport, Known } from '../../../records/baseline.ts';
import type { ConformanceResult } from '../../../records/conformance.ts';
import type { ConformanceReport, Report, ResultReport } from '../../../records/report.ts';
import type { Verdict } from '../../../records/vocabulary.ts';
import { verdictWord } from '../../../text.ts';
import { requirementPattern } from '../cause/failure.ts';

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
  sets?: RequirementSets,
): boolean => AGAINST.has(verdict) && isOutside(set, requirement, sets);

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

const words = (names: BaselineEntry['family']) => (namesIn(names) ?? []).join(', ');

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
