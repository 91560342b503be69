import { defined } from '../../defined.ts';
import type { JournalEntry } from '../../records/conformance.ts';
import { normalAddress } from '../safety/targets.ts';
import type { OwnRecord, UnresolvedCreate } from '../types.ts';

type Wave = NonNullable<JournalEntry['endpoints']>;

/** What a run may have left on a target, as its journal tells. */
export interface JournalRest {
  /** Records that were made and are not proven gone, in the order they were made. */
  readonly records: readonly OwnRecord[];
  /** Creates that were begun and whose record, if there is one, is known by its name alone. */
  readonly names: readonly UnresolvedCreate[];
  /** Families that the run began to write to other than by ANC: records of its names may be in them. */
  readonly families: readonly string[];
  /** MAC and IP addresses that a policy may have been put on. */
  readonly endpoints: readonly string[];
  /** Parts of a pool that a policy may have been put on. */
  readonly waves: readonly Wave[];
}

/** Creates of each name that were begun and of which no record became known. */
function openNames(journal: readonly JournalEntry[]): UnresolvedCreate[] {
  const open = new Map<string, { family: string; name: string; count: number }>();
  for (const { event, family, operation, name } of journal) {
    if (operation !== 'create' || name === undefined) continue;
    const held = open.get(`${family} ${name}`) ?? { family, name, count: 0 };
    if (event === 'intent') held.count += 1;
    if (event === 'created') held.count -= 1;
    open.set(`${family} ${name}`, held);
  }
  return [...open.values()].filter(({ count }) => count > 0).map(({ family, name }) => ({ family, name }));
}

/** Reads a journal from its first line to its last: what was begun and is not proven undone. */
export function journalRest(journal: readonly JournalEntry[]): JournalRest {
  const records = new Map<string, OwnRecord>();
  const families = new Set<string>();
  const endpoints = new Set<string>();
  const waves = new Map<string, Wave>();
  for (const { event, family, id, name, endpoint, endpoints: wave } of journal) {
    if (event === 'created' && id !== undefined) {
      records.set(`${family} ${id}`, { family, id, ...defined({ name }) });
    }
    if (event === 'removed') records.delete(`${family} ${id ?? ''}`);
    if (endpoint === undefined && wave === undefined) families.add(family);
    if (endpoint !== undefined) {
      if (event === 'cleared') endpoints.delete(normalAddress(endpoint));
      else endpoints.add(normalAddress(endpoint));
    }
    if (wave !== undefined) {
      const key = JSON.stringify(wave);
      if (event === 'cleared') waves.delete(key);
      else waves.set(key, wave);
    }
  }
  return {
    records: [...records.values()],
    names: openNames(journal),
    families: [...families],
    endpoints: [...endpoints],
    waves: [...waves.values()],
  };
}
