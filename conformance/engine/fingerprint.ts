import { createHash } from 'node:crypto';
import { type ListedEntries, readEntries } from '../../lib/client/http/read-entries.ts';
import type { ListEntry } from '../../lib/client/safety/record-identity.ts';
import type { ErsClient } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Family, type FamilyTable, hasOp } from '../../lib/contract/types.ts';
import { NOT_KNOWN } from '../../lib/records/run.ts';
import { isNotFound, isSuccess } from '../../lib/wire/answer.ts';
import type { ListQuery } from '../../lib/wire/query.ts';

const PAGE_SIZE = 100;
const MOST_PAGES = 2000;
/** A total may count for a while what was removed: the waits for it, of all lists together. */
const LATE_MS = [1000, 2000, 4000] as const;

/** What was on the target at one moment, apart from the records of this run. */
export interface Print {
  /** Count of the foreign records of each family, how many more its total counts, and their digest, as one line. */
  readonly line: string;
  readonly unknown: readonly string[];
  /** Ids of the records of each family that a run may make some in, and of its views. */
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>;
  /** Entries that an earlier print did not have, by family; none if there was no earlier one. */
  readonly fresh: ReadonlyMap<string, readonly ListEntry[]>;
}

const isChangeable = (family: Family | undefined): boolean =>
  family?.ops.some((op) => op === 'delete' || op === 'apply') === true || family?.viewOf !== undefined;

/** The whole list: by its links, or page by page if they do not lead to the end. One refused answer does not hide it. */
async function wholeList(client: ErsClient, family: string): Promise<ListedEntries> {
  const read = (list: ListQuery) => readEntries(client, family, list, MOST_PAGES);
  const linked = await read({ size: PAGE_SIZE });
  if (linked.complete || isNotFound(linked)) return linked;
  const paged = await read({});
  return paged.complete || isSuccess(paged) ? paged : read({ size: PAGE_SIZE });
}

/** Reads the whole list of every family; one that cannot be read is named. `before`: an earlier print, to tell which entries are new, and the clock to wait by. */
export async function fingerprint(
  client: ErsClient,
  table: FamilyTable,
  families: readonly string[],
  { print: before, clock }: { readonly print?: Print; readonly clock?: Clock } = {},
): Promise<Print> {
  // The look before the first write ends with the run; the one after it belongs to the clean-up.
  const calm = before === undefined ? client : client.view({ signal: 'ignored' });
  const parts: string[] = [];
  const unknown: string[] = [];
  const ids = new Map<string, ReadonlySet<string>>();
  const fresh = new Map<string, readonly ListEntry[]>();
  const waits = clock === undefined ? [] : [...LATE_MS];
  const whole = async (name: string): Promise<ListedEntries | undefined> => {
    const walk = await wholeList(calm, name).catch(() => undefined);
    const ms = walk !== undefined && walk.total > walk.entries.length ? waits.shift() : undefined;
    if (ms === undefined) return walk;
    await clock?.sleep(ms);
    return whole(name);
  };
  for (const name of families.filter((family) => table[family] !== undefined && hasOp(table[family], 'list'))) {
    const walk = await whole(name);
    if (walk !== undefined && isChangeable(table[name])) {
      const known = before?.ids.get(name);
      ids.set(name, new Set(walk.entries.map(({ id }) => id)));
      const added = walk.entries.filter(({ id }) => known?.has(id) === false);
      if (known !== undefined) fresh.set(name, added);
    }
    if (walk?.complete !== true) {
      unknown.push(name);
      parts.push(`${name}=${NOT_KNOWN}`);
      continue;
    }
    // A view lists the records of other families: what this run still has there is not foreign here either.
    const foreign = walk.entries
      .filter(({ id }) => client.standing(name, id) !== 'ours')
      .map((entry) => JSON.stringify([entry.id, entry.name, entry.description]))
      .sort();
    const digest = createHash('sha256').update(foreign.join('\n')).digest('hex').slice(0, 12);
    // What a total counts and no page shows may be ours: a delete that only hides a record makes it grow.
    const hidden = Math.max(0, walk.total - walk.entries.length);
    parts.push(`${name}=${foreign.length}${hidden === 0 ? '' : `+${hidden}`}:${digest}`);
  }
  return { line: parts.join(' '), unknown, ids, fresh };
}
