import { defined } from '../../defined.ts';
import type { JournalEntry } from '../../records/conformance.ts';
import { normalAddress } from '../safety/targets.ts';
import type { OwnRecord } from '../types.ts';

export type Wave = NonNullable<JournalEntry['endpoints']>;

/** Key of a name among those of a trail. */
export const nameKey = (family: string, name: string): string => `${family} ${name.trim().toLowerCase()}`;

/** What a run touched on a target, as its journal tells. Lines that say "removed" or "cleared" prove nothing: all of it is looked at. */
export function journalTrail(journal: Iterable<JournalEntry>) {
  const records = new Map<string, OwnRecord>();
  const families = new Set<string>();
  const names = new Set<string>();
  const endpoints = new Set<string>();
  const waves = new Map<string, Wave>();
  for (const { event, family, id, name, endpoint, endpoints: wave } of journal) {
    if (event === 'created' && id !== undefined) records.set(`${family} ${id}`, { family, id, ...defined({ name }) });
    if (event !== 'removed' && name !== undefined) names.add(nameKey(family, name));
    if (endpoint === undefined && wave === undefined) families.add(family);
    if (endpoint !== undefined) endpoints.add(normalAddress(endpoint));
    if (wave !== undefined) waves.set(JSON.stringify(wave), wave);
  }
  return {
    /** Records that answers gave for ones of the run, in the order they were made. */
    records: [...records.values()],
    /** Names of creates that the run sent, by `nameKey`: no answer need have told an id. */
    names: names as ReadonlySet<string>,
    /** Families that the run began to write to other than by ANC: records of its names may be in them. */
    families: [...families],
    /** MAC and IP addresses that a policy may have been put on. */
    endpoints: [...endpoints],
    /** Parts of a pool that a policy may have been put on. */
    waves: [...waves.values()],
  };
}
export type JournalTrail = ReturnType<typeof journalTrail>;
