import type { BaselineReport, Known } from '../../records/baseline.ts';
import type { Report, ResultReport } from '../../records/report.ts';

/** A failure that the run was told to expect: no reason to look again. */
export const isExpected = ({ verdict, known }: ResultReport): boolean =>
  known?.outcome === 'expected' && (verdict === 'fail' || verdict === 'warn');

/** What the baseline says of a result, in one line: `expected: reason (owner, link, until 2026-12-31)`. */
export function knownWords({ outcome, reason, owner, link, expires }: Known): string {
  if (outcome === 'unexpected') return 'new: no entry of the baseline expects it';
  const until = expires === undefined ? [] : [`${outcome === 'expired' ? 'expired' : 'until'} ${expires}`];
  const who = [...[owner, link].filter((word) => word !== undefined), ...until];
  return `${outcome}: ${reason ?? ''} (${who.join(', ')})`;
}

/** The outcome as a mark beside a result. */
export const knownMark = ({ outcome }: Known): string => (outcome === 'unexpected' ? 'new' : outcome);

/** Name of an entry of a baseline. */
export const entryName = ({ check, family, variant }: BaselineReport['entries'][number]): string =>
  [check, family, ...(variant === undefined ? [] : [variant])].join(' ');

/** Entries of the baseline that somebody has to see to, by outcome; undefined where the run had none. */
export function baselineUpkeep(report: Report) {
  const baseline = report.conformance?.baseline;
  if (baseline === undefined) return undefined;
  const named = (outcome: BaselineReport['entries'][number]['outcome']) =>
    baseline.entries.filter((entry) => entry.outcome === outcome).map(entryName);
  return { expected: named('expected'), stale: named('stale'), expired: named('expired'), unused: named('unused') };
}
