import type { Clock } from '../../clock.ts';
import { PATH_PREFIX } from '../../contract/operations.ts';
import type { JournalEntry } from '../../records/conformance.ts';
import { runPrefix } from '../../run-name.ts';
import type { ClientOptions, Exchange } from '../types.ts';
import { type Endpoints, openEndpoints } from './endpoints.ts';
import { listEntries } from './list-entries.ts';
import { resourceOf } from './record-identity.ts';
import { recordInPath } from './record-path.ts';
import { openRecords, type Records } from './records.ts';

export const GONE: ReadonlySet<number> = new Set([404, 410]);

/** The one place that knows what this run has on the target; every change of it goes to the journal first. */
export interface Registry {
  readonly note: (event: JournalEntry['event'], entry: Omit<JournalEntry, 'at' | 'event' | 'runId'>) => void;
  readonly records: Records;
  readonly endpoints: Endpoints;
  /** Takes in the answer to a GET: what it shows of records and endpoints. */
  readonly sees: (exchange: Exchange) => void;
  /** Changes of the run to what the family shows, so far. */
  readonly writes: (family: string) => number;
  readonly totals: () => { readonly created: number; readonly removed: number };
}

/** Opens the registry of a run. `onJournal` has to be back from the disk before it returns. */
export function openRegistry(options: ClientOptions, clock: Clock): Registry {
  const { runId, table, inherits } = options;
  const changes = new Map<string, number>();
  const note: Registry['note'] = (event, entry) => {
    if (event !== 'intent') changes.set(entry.family, (changes.get(entry.family) ?? 0) + 1);
    try {
      options.onJournal({ at: clock.now().toISOString(), event, runId, ...entry });
    } catch (fault) {
      // Nothing is sent without its intent on the disk. What came of it is known here all the same.
      if (event === 'intent') throw fault;
    }
  };
  const records = openRecords({ table, inherits, prefix: runPrefix(runId), nowMs: clock.monotonicMs, note });
  const endpoints = openEndpoints(options);
  return {
    note,
    records,
    endpoints,
    sees(exchange) {
      const { request, status, json } = exchange;
      const record = recordInPath(request.path);
      if (record !== undefined && GONE.has(status)) records.reads(record.family, record.id, null);
      if (status !== 200 || !request.path.startsWith(`${PATH_PREFIX}/`)) return;
      endpoints.sees(exchange);
      const entries = listEntries(json);
      if (entries !== null) for (const { id, name } of entries) records.lists(request.family, id, name);
      const members = entries === null ? resourceOf(json) : undefined;
      const isOf = members?.['id'] === undefined || String(members['id']) === record?.id;
      if (record !== undefined && members !== undefined && isOf) records.reads(record.family, record.id, members);
    },
    writes: (family) =>
      [family, ...(table[family]?.viewOf ?? [])].reduce((sum, home) => sum + (changes.get(home) ?? 0), 0),
    totals() {
      const { taken, returned } = endpoints.tally();
      const created = records.owned().length + taken;
      // An apply that was not taken and is cleared all the same counts as neither.
      return { created, removed: Math.min(records.owned().length - records.created().length + returned, created) };
    },
  };
}
