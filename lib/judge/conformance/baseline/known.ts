import type { BaselineEntry, BaselineReport, Known } from '../../../records/baseline.ts';
import type { Report, ResultReport } from '../../../records/report.ts';
import { namesIn } from './matching.ts';

/** A failure that the run was told to expect, or what such a failure keeps from being proven: no reason to look again. */
export const isExpected = ({ verdict, known }: ResultReport): boolean =>
  known?.outcome === 'consequence' || (known?.outcome === 'expected' && (verdict === 'fail' || verdict === 'warn'));

/** A placeholder of a file that nobody has edited since it was written. */
const PLACEHOLDER = /^TODO\b/;

/** A text of an entry; undefined where it is absent or a placeholder. */
const given = (text: string | undefined) => (text === undefined || PLACEHOLDER.test(text) ? undefined : text);

/** True where nobody has written yet why the entry's failure is expected. */
export const isReasonMissing = ({ reason }: Pick<BaselineEntry, 'reason'>): boolean => given(reason) === undefined;

/** What the baseline says of a result, in one line: `expected: reason (owner, link, until 2026-12-31)`. */
export function knownWords({ outcome, reason, owner, link, expires }: Known): string {
  if (outcome === 'unexpected') return 'new: no baseline entry expects it';
  if (outcome === 'consequence') return 'unclear because of an expected failure';
  const until = expires === undefined ? [] : [`${outcome === 'expired' ? 'expired' : 'until'} ${expires}`];
  const who = [...[given(owner), given(link)].filter((word) => word !== undefined), ...until];
  return `${outcome}: ${given(reason) ?? 'reason missing'} (${who.join(', ')})`;
}

const MARKS: Readonly<Record<string, string>> = { unexpected: 'new', consequence: 'follows from an expected failure' };

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

/** Baseline entries by outcome, as they are named in reports; undefined where the run had no baseline. */
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
