import { defined } from '../../defined.ts';
import { UsageError } from '../../errors.ts';
import type { JournalEntry } from '../../records/conformance.ts';
import { inert } from '../../text.ts';
import { permutation } from '../../wire/endpoint.ts';
import type { NamedPool } from '../anc/pool.ts';
import { recordKey } from '../safety/record-identity.ts';
import { normalAddress } from '../safety/targets.ts';
import type { OwnRecord } from '../types.ts';

export type Wave = NonNullable<JournalEntry['endpoints']>;

export const nameKey = (family: string, name: string): string => `${family} ${name.trim().toLowerCase()}`;

/** Writes that leave nothing if they take effect late. */
const TAKES_OFF: ReadonlySet<string> = new Set(['delete', 'clear']);

/** What a run touched on a target, as its journal tells. Lines that say "removed" or "cleared" prove nothing: all of it is looked at. */
export function journalTrail(journal: Iterable<JournalEntry>) {
  const records = new Map<string, OwnRecord>();
  const removed = new Set<string>();
  const families = new Set<string>();
  const names = new Set<string>();
  const open = new Set<string>();
  const endpoints = new Map<string, boolean>();
  const waves = new Map<string, Wave>();
  let lastMs = Number.NEGATIVE_INFINITY;
  let isCleared = false;
  for (const { at, event, family, operation, id, name, endpoint, endpoints: wave } of journal) {
    // Of the writes of a wave the journal tells no time, until all of it is cleared.
    const isAdded = event === 'intent' && !TAKES_OFF.has(operation);
    if (isAdded) lastMs = Math.max(lastMs, wave === undefined ? Date.parse(at) : Number.POSITIVE_INFINITY);
    else if (event === 'cleared' && wave !== undefined) lastMs = Number.NEGATIVE_INFINITY;
    if (event === 'created' && id !== undefined) {
      records.set(recordKey({ family, id }), { family, id, ...defined({ name }) });
      removed.delete(recordKey({ family, id }));
    } else if (event === 'removed' && id !== undefined) removed.add(recordKey({ family, id }));
    if (event !== 'removed' && name !== undefined) names.add(nameKey(family, name));
    if (name !== undefined && event === 'intent' && id === undefined) open.add(nameKey(family, name));
    else if (name !== undefined && event !== 'intent') open.delete(nameKey(family, name));
    if (endpoint === undefined && wave === undefined) families.add(family);
    if (endpoint !== undefined) endpoints.set(normalAddress(endpoint), event === 'cleared');
    if (wave === undefined) continue;
    waves.set(JSON.stringify(wave), wave);
    // It says so once none of them is left.
    isCleared = event === 'cleared';
  }
  return {
    records: [...records.values()],
    /** True for a record that the target said was removed, and that was not made again since. */
    isRemoved: (record: OwnRecord) => removed.has(recordKey(record)),
    /** Names of creates that the run sent, by `nameKey`: no answer need have told an id. */
    names: names as ReadonlySet<string>,
    /** Those of them of which the journal does not tell what became. */
    open: open as ReadonlySet<string>,
    /** Families that the run began to write to other than by ANC: records of its names may be in them. */
    families: [...families],
    endpoints: [...endpoints.keys()],
    waves: [...waves.values()],
    /** Those of them without what the target said was cleared, and that was not written to since. */
    uncleared: {
      endpoints: [...endpoints].flatMap(([mac, isDone]) => (isDone ? [] : [mac])),
      waves: isCleared ? [] : [...waves.values()],
    },
    /** When the last write that may leave something was sent, milliseconds since 1970; infinite if that is not known. */
    lastMs,
  };
}
export type JournalTrail = ReturnType<typeof journalTrail>;

/** True if the wave is of this pool: the same range, or a file that named the same in the same order; and within it. */
function isOfPool({ source: used, offset, size, count }: Wave, { source, size: all }: NamedPool): boolean {
  const isSame =
    used.kind === 'range'
      ? source.kind === 'range' && source.firstMac === used.firstMac && source.firstIp === used.firstIp
      : source.kind === 'file' && source.digest === used.digest;
  return isSame && count <= size && offset + size <= all;
}

/** Numbers of the endpoints that a journal names, ascending. Throws `UsageError` for one outside of the pool, or for parts of another. */
export function touchedEndpoints(
  { endpoints, waves }: Pick<JournalTrail, 'endpoints' | 'waves'>,
  pool: NamedPool,
): readonly number[] {
  const other = (what: string) =>
    new UsageError('other-pool', `the run of this journal used ${what} than --endpoints`, {
      hint: 'use the --endpoints of that run; a file has to be as it was then',
    });
  const indexes = new Set<number>();
  for (const wave of waves) {
    if (!isOfPool(wave, pool)) throw other('other endpoints');
    const order = permutation(wave.size, wave.seed);
    for (let seq = 0; seq < wave.count; seq += 1) indexes.add(wave.offset + order(seq));
  }
  for (const address of endpoints) {
    const index = pool.indexOf(address);
    if (index === undefined) throw other(`more endpoints, such as ${inert(address, 40)},`);
    indexes.add(index);
  }
  return [...indexes].sort((a, b) => a - b);
}
