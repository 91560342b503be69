import { defined } from '../../defined.ts';
import type { JournalEntry } from '../../records/conformance.ts';
import type { RunRecords } from '../../records/folder/reader.ts';
import type { Report } from '../../records/report.ts';

type Cleanup = Report['cleanup'];

/** Records and endpoints that the journal says were made and does not say were taken away. */
function leftByJournal(journal: readonly JournalEntry[]): Cleanup['residue'] {
  const left = new Map<string, Cleanup['residue'][number]>();
  for (const { event, family, id, name, endpoint } of journal) {
    const what = id ?? endpoint;
    if (what === undefined) continue;
    const key = `${family} ${what}`;
    if (event === 'removed' || event === 'cleared') left.delete(key);
    if (event !== 'created' && event !== 'applied') continue;
    left.set(key, {
      family,
      id: what,
      ...defined({ name }),
      command: event === 'created' ? `DELETE ${family}/${what}` : `clear ${endpoint ?? what}`,
    });
  }
  return [...left.values()];
}

/** What was made and what is left: as the run said at its end, or as its journal shows where it was cut. */
export function cleanupOf(records: Pick<RunRecords, 'end' | 'journal'>): Cleanup {
  if (records.end !== null) return { source: 'end', ...records.end.cleanup };
  const count = (...events: readonly JournalEntry['event'][]) =>
    records.journal.filter(({ event }) => events.includes(event)).length;
  return {
    source: 'journal',
    created: count('created', 'applied'),
    removed: count('removed', 'cleared'),
    residue: leftByJournal(records.journal),
  };
}
