import type { Clock } from '../../clock.ts';
import { OPS, PATH_PREFIX } from '../../contract/operations.ts';
import type { RunEnd } from '../../records/run.ts';
import { type Persistence, persistence } from '../http/retry-with-backoff.ts';
import { steadyReads } from '../http/retrying-reads.ts';
import { walkList } from '../http/walk-list.ts';
import type { ErsClient, OwnRecord } from '../types.ts';
import { clearTouched, type Residue } from './clear-touched.ts';
import { curlCommand } from './curl-command.ts';

type Cleanup = RunEnd['cleanup'];

/** Stands where the id of a record never became known. */
const UNKNOWN_ID = '(not known)';
const MAX_PAGES = 1000;
const GONE: ReadonlySet<number> = new Set([404, 410]);

const pathOf = (family: string, id: string) => `${PATH_PREFIX}/${encodeURIComponent(family)}/${encodeURIComponent(id)}`;

/** Records of a family that have the name; undefined where the list does not tell. */
async function namedRecords(client: ErsClient, family: string, name: string) {
  const filterable = client.options.table[family]?.filters.includes('name') === true;
  const filters = filterable ? [{ field: 'name', operator: 'EQ' as const, value: name }] : [];
  let walk = await walkList(client, family, { size: 100, filters }, MAX_PAGES);
  if (!walk.complete && filterable) walk = await walkList(client, family, { size: 100 }, MAX_PAGES);
  // A family that has no list is not served: nothing can be in it.
  if (walk.entries.length === 0 && GONE.has(walk.status)) return [];
  return walk.complete ? walk.entries.filter((entry) => entry.name === name) : undefined;
}

/** True when a read, or else the list, shows that the record is not there any more. */
async function isGone(client: ErsClient, record: OwnRecord): Promise<boolean> {
  const { family, id } = record;
  const look = { family, op: 'read' as const, method: OPS.read.method, path: pathOf(family, id) };
  const { status } = await client.raw({ ...look, headers: { Accept: 'application/json' } });
  if (GONE.has(status)) return true;
  if (status === 200) return false;
  const walk = await walkList(client, family, { size: 100 }, MAX_PAGES);
  return walk.complete && !walk.entries.some((entry) => entry.id === id);
}

/** Asks for the removal of a record; true when it is proven gone. */
async function removeRecord(client: ErsClient, record: OwnRecord): Promise<boolean> {
  const { family, id } = record;
  await client.raw({
    family,
    op: 'delete',
    method: OPS.delete.method,
    path: pathOf(family, id),
    headers: { Accept: 'application/json' },
    id,
  });
  const gone = await isGone(client, record);
  if (gone) client.gone(family, id);
  // A delete that was answered with success has taken it out of the ledger.
  else client.adopt(family, id, record.name ?? '');
  return gone;
}

/** Removes records, newest first; returns those that are not proven gone. */
async function removeRecords(client: ErsClient, { inRounds }: Persistence): Promise<Residue[]> {
  const left = await inRounds({
    items: client.created(),
    work: (record) => removeRecord(client, record),
    group: ({ family }) => family,
  });
  return left.map((record) => ({
    ...record,
    command: curlCommand(client, OPS.delete.method, pathOf(record.family, record.id)),
  }));
}

/** Finds the records of creates whose id never became known, so that they are removed with the others. */
async function resolveNames(client: ErsClient, { inRounds }: Persistence): Promise<Residue[]> {
  const untold = await inRounds({
    items: client.unresolved(),
    group: ({ family }) => family,
    async work({ family, name }) {
      const found = await namedRecords(client, family, name);
      for (const entry of found ?? []) client.adopt(family, entry.id, name);
      if (found?.length === 0) client.dismiss(family, name);
      return found !== undefined;
    },
  });
  // Where the family cannot be listed at all, a record cannot be told from none: a person has to look.
  return untold.map(({ family, name }) => {
    const path = `${PATH_PREFIX}/${encodeURIComponent(family)}`;
    return { family, id: UNKNOWN_ID, name, command: curlCommand(client, 'GET', path) };
  });
}

/** Records whose delete was answered with success and that are listed all the same are put back among those to remove. */
async function findSurvivors(client: ErsClient): Promise<void> {
  const present = new Set(client.created().map(({ family, id }) => `${family}/${id}`));
  const removed = client.owned().filter(({ family, id }) => !present.has(`${family}/${id}`));
  for (const family of new Set(removed.map((record) => record.family))) {
    const walk = await walkList(client, family, { size: 100 }, MAX_PAGES);
    const listed = new Set(walk.entries.map((entry) => entry.id));
    for (const record of removed) {
      if (record.family === family && listed.has(record.id)) client.adopt(family, record.id, record.name ?? '');
    }
  }
}

/**
 * Removes everything this run put on the target, newest first, with retries, and proves each removal by a read (404) or
 * by the list. Works on after the run was aborted. What is left is reported with the command that removes it.
 */
export async function removeCreated(client: ErsClient, deps: { readonly clock: Clock }): Promise<Cleanup> {
  const cleaner = steadyReads(client.view({ signal: 'ignored' }));
  const tries = persistence(deps.clock);
  const residue = await resolveNames(cleaner, tries);
  await tries.persist(async () => {
    await findSurvivors(cleaner);
    return true;
  });
  residue.push(...(await removeRecords(cleaner, tries)));
  const still = residue.filter(({ id }) => id !== UNKNOWN_ID).length;
  const { created, removed } = cleaner.totals();
  const endpoints = await clearTouched(cleaner, tries);
  const after = cleaner.totals();
  return {
    created,
    removed: Math.min(Math.max(removed, after.removed), created - still - endpoints.length),
    residue: [...residue, ...endpoints],
  };
}
