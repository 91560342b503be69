import type { Clock } from '../../clock.ts';
import type { Op } from '../../contract/types.ts';
import { defined } from '../../defined.ts';
import type { JournalEntry } from '../../records/conformance.ts';
import type { EndpointPool, OwnRecord, UnresolvedCreate } from '../types.ts';
import { keyIn } from './record-identity.ts';

/** What this run did to the target, in memory; every change of it goes to the journal first. */
export interface Ledger {
  readonly note: (event: JournalEntry['event'], entry: Omit<JournalEntry, 'at' | 'event' | 'runId'>) => void;
  readonly addCreated: (family: string, operation: Op, id: string, name: string | undefined) => void;
  readonly addRemoved: (family: string, operation: Op, id: string) => void;
  /** A record that was taken for one of this run is somebody else's: it counts as neither made nor removed. */
  readonly disown: (family: string, id: string) => void;
  /** Takes in that a read showed the record, or that there is none under its id. */
  readonly looked: (family: string, id: string, isGone: boolean) => void;
  readonly addUnresolved: (family: string, name: string | undefined) => void;
  readonly resolve: (family: string, name: string) => void;
  /** `taken`: the target said so; else it may have been stored all the same, and is looked for when cleaning up. */
  readonly addApplied: (address: string, taken: boolean) => void;
  readonly addCleared: (address: string) => void;
  /** An endpoint that may hold a policy of this run although no write named it: it is looked at when cleaning up. */
  readonly addTouched: (address: string) => void;
  /** The record of this run that has the id, whether or not it was removed since. */
  readonly own: (family: string, id: string) => OwnRecord | undefined;
  readonly created: () => readonly OwnRecord[];
  readonly owned: () => readonly OwnRecord[];
  /** Records that were removed, as the answer to the delete says, and that no read has shown to be gone. */
  readonly unproven: () => readonly OwnRecord[];
  readonly unresolved: () => readonly UnresolvedCreate[];
  readonly applied: () => readonly string[];
  readonly touched: () => readonly string[];
  readonly totals: () => { readonly created: number; readonly removed: number };
}

type Records = Pick<
  Ledger,
  | 'addCreated'
  | 'addRemoved'
  | 'disown'
  | 'looked'
  | 'addUnresolved'
  | 'resolve'
  | 'own'
  | 'created'
  | 'owned'
  | 'unproven'
  | 'unresolved'
>;
type Endpoints = Pick<Ledger, 'addApplied' | 'addCleared' | 'addTouched' | 'applied' | 'touched'>;

/** Things put on the target, and things taken off it again. */
interface Tally {
  taken: number;
  returned: number;
}

function recordBook(note: Ledger['note'], tally: Tally): Records {
  const created = new Map<string, OwnRecord>();
  const ever = new Map<string, OwnRecord>();
  const unresolved = new Map<string, UnresolvedCreate>();
  const gone = new Set<string>();
  return {
    addCreated(family, operation, id, name) {
      const record = { family, id, ...defined({ name }) };
      const key = keyIn(family, id);
      if (!created.has(key)) note('created', { operation, ...record });
      if (!ever.has(key)) tally.taken += 1;
      created.set(key, record);
      ever.set(key, record);
      gone.delete(key);
      if (name !== undefined) unresolved.delete(keyIn(family, name));
    },
    addRemoved(family, operation, id) {
      if (!created.delete(keyIn(family, id))) return;
      tally.returned += 1;
      note('removed', { family, operation, id });
    },
    disown(family, id) {
      const record = ever.get(keyIn(family, id));
      if (record === undefined) return;
      if (!created.delete(keyIn(family, id))) tally.returned -= 1;
      ever.delete(keyIn(family, id));
      tally.taken -= 1;
      if (record.name !== undefined) unresolved.set(keyIn(family, record.name), { family, name: record.name });
    },
    looked(family, id, isGone) {
      if (isGone) gone.add(keyIn(family, id));
      else gone.delete(keyIn(family, id));
    },
    addUnresolved(family, name) {
      if (name !== undefined) unresolved.set(keyIn(family, name), { family, name });
    },
    resolve: (family, name) => void unresolved.delete(keyIn(family, name)),
    own: (family, id) => ever.get(keyIn(family, id)),
    created: () => [...created.values()].reverse(),
    owned: () => [...ever.values()],
    unproven: () => [...ever].flatMap(([key, record]) => (created.has(key) || gone.has(key) ? [] : [record])),
    unresolved: () => [...unresolved.values()].reverse(),
  };
}

function endpointBook(pool: EndpointPool | undefined, tally: Tally): Endpoints {
  const applied = new Map<string, string>();
  const touched = new Map<string, string>();
  // An endpoint applied by its IP address and cleared by its MAC address is one endpoint.
  const endpointKey = (address: string) => String(pool?.indexOf(address) ?? address);
  return {
    addApplied(address, wasTaken) {
      if (wasTaken && !applied.has(endpointKey(address))) tally.taken += 1;
      applied.set(endpointKey(address), address);
      touched.set(endpointKey(address), address);
    },
    addCleared(address) {
      if (applied.delete(endpointKey(address))) tally.returned += 1;
    },
    addTouched: (address) => void touched.set(endpointKey(address), address),
    applied: () => [...applied.values()].reverse(),
    touched: () => [...touched.values()],
  };
}

/** Opens the ledger of a run. `write` has to be back from the disk before it returns. */
export function openLedger(
  runId: string,
  pool: EndpointPool | undefined,
  clock: Clock,
  write: (entry: JournalEntry) => void,
): Ledger {
  const tally: Tally = { taken: 0, returned: 0 };
  const note: Ledger['note'] = (event, entry) => write({ at: clock.now().toISOString(), event, runId, ...entry });
  return {
    note,
    ...recordBook(note, tally),
    ...endpointBook(pool, tally),
    // An apply that was not taken and is cleared all the same counts as neither.
    totals: () => ({ created: tally.taken, removed: Math.min(tally.returned, tally.taken) }),
  };
}
