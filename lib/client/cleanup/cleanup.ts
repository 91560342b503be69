import pLimit from 'p-limit';
import type { Clock } from '../../clock.ts';
import { OPS } from '../../contract/operations.ts';
import { hasOp } from '../../contract/types.ts';
import { defined } from '../../defined.ts';
import { UsageError } from '../../errors.ts';
import type { RunEnd } from '../../records/run.ts';
import { namesOfRun } from '../../run-name.ts';
import { excerpt, inert } from '../../text.ts';
import { readEntries } from '../http/read-entries.ts';
import { type Persistence, persistence } from '../http/retry-with-backoff.ts';
import { steadyReads } from '../http/retrying-reads.ts';
import { recordKey } from '../safety/record-identity.ts';
import { recordPath } from '../safety/record-path.ts';
import { GONE } from '../safety/registry.ts';
import type { ErsClient, OwnRecord } from '../types.ts';
import { clearTouched } from './clear-touched.ts';
import { curlCommand } from './curl-command.ts';
import { MAX_PAGES, namedRecords } from './find-by-name.ts';
import { nameReader } from './names.ts';
import { endpointResidue, type Residue, recordResidue, UNKNOWN_ID, unknownResidue } from './residue.ts';

type Cleanup = RunEnd['cleanup'];

/** Characters of an id or name that a report shows of a record that is not ours. */
const LONGEST_SHOWN = 300;
/** How often records are removed that a list goes on showing. */
const ROUNDS = 2;

/** Status of a read of the record; 0 if its family has none or the id cannot be sent. */
async function statusOfRead(client: ErsClient, { family, id }: OwnRecord): Promise<number> {
  const shape = client.options.table[family];
  if (shape === undefined || !hasOp(shape, 'read')) return 0;
  return (await client.send(family, 'read', { id })).status;
}

/** True when a read, or else the list, shows that the record is not there any more. */
async function isGone(client: ErsClient, record: OwnRecord): Promise<boolean> {
  const { family, id } = record;
  const status = await statusOfRead(client, record);
  if (GONE.has(status)) return true;
  if (status === 200) return false;
  const walk = await readEntries(client, family, { size: 100 }, MAX_PAGES);
  return walk.complete && !walk.entries.some((entry) => entry.id === id);
}

/** True where nothing is to be removed under an id: it is gone, or shown to be somebody else's. */
async function isSettled(client: ErsClient, record: OwnRecord): Promise<boolean> {
  const { family, id } = record;
  const isOwn = () => (client.standing(family, id) ?? 'foreign') !== 'foreign';
  if (!isOwn()) return true;
  const gone = await isGone(client, record);
  if (gone) client.gone(family, id);
  // A delete that was answered with success has taken it out of the ledger.
  else if (isOwn()) client.adopt(family, id, record.name ?? '');
  return gone || !isOwn();
}

/** Asks for the removal of a record; true when it is proven gone, or not ours. */
async function removeRecord(client: ErsClient, record: OwnRecord): Promise<boolean> {
  const { family, id } = record;
  try {
    await client.send(family, 'delete', { id });
  } catch (fault) {
    // Refused by the guard: the record is not proven to be ours. Whether it is there is looked at all the same.
    if (!(fault instanceof UsageError)) throw fault;
  }
  return isSettled(client, record);
}

/** Removes records, newest first; returns those that are not proven gone. */
async function removeRecords(client: ErsClient, { inRounds }: Persistence): Promise<Residue[]> {
  const left = await inRounds({
    items: client.created(),
    work: (record) => removeRecord(client, record),
    group: ({ family }) => family,
  });
  return left.map((record) => recordResidue(client, record));
}

/** Finds the records of creates whose id never became known, so that they are removed with the others. */
async function resolveNames(client: ErsClient, { inRounds }: Persistence): Promise<Residue[]> {
  const names = nameReader(client);
  const untold = await inRounds({
    items: client.unresolved(),
    group: ({ family }) => family,
    atOnce: client.options.target.connections,
    async work({ family, name }) {
      const found = await namedRecords(client, names, family, name);
      const adopted = (found ?? []).filter((entry) => client.adopt(family, entry.id, name));
      if (found?.length === 0) client.dismiss(family, name);
      return found !== undefined && adopted.length === found.length;
    },
  });
  return untold.map((unresolved) => unknownResidue(client, unresolved));
}

/**
 * Removed records that a list shows all the same are put back among those to remove, and so is what it shows under a name of
 * the run. Names that a whole list does not show are off the books: hundreds of refused creates cost no request each. Returns
 * the removed records that a whole list does not show.
 */
async function findInLists(client: ErsClient, removed: readonly OwnRecord[]): Promise<readonly OwnRecord[]> {
  const isOfRun = namesOfRun(client.options.runId);
  const unlisted: OwnRecord[] = [];
  for (const family of new Set([...removed, ...client.unresolved()].map((record) => record.family))) {
    const walk = await readEntries(client, family, { size: 100 }, MAX_PAGES);
    const listed = new Set(walk.entries.map((entry) => entry.id));
    for (const record of removed.filter((one) => one.family === family)) {
      if (listed.has(record.id)) client.adopt(family, record.id, record.name ?? '');
      else if (walk.complete) unlisted.push(record);
    }
    for (const { id, name = '' } of walk.entries) if (isOfRun(name)) client.adopt(family, id, name);
    if (!walk.complete || walk.entries.some((entry) => entry.name === undefined)) continue;
    const names = walk.entries.map(({ name }) => name?.toLowerCase()).join('\n');
    for (const one of client.unresolved()) {
      if (one.family === family && !names.includes(one.name.trim().toLowerCase())) client.dismiss(family, one.name);
    }
  }
  return unlisted;
}

/** Records whose delete was answered with success and that a list or a read shows all the same are put back among those to remove. */
async function findSurvivors(client: ErsClient): Promise<void> {
  const unlisted = await findInLists(
    client,
    client.owned().filter(({ family, id }) => client.standing(family, id) === 'gone'),
  );
  const slots = pLimit(client.options.target.connections);
  const look = async (record: OwnRecord) => {
    // A read that fails leaves it to the list.
    if ((await statusOfRead(client, record)) === 200) client.adopt(record.family, record.id, record.name ?? '');
  };
  await Promise.all(client.unproven().map((record) => slots(() => look(record))));
  const open = new Set(client.unproven().map(recordKey));
  for (const record of unlisted) if (open.has(recordKey(record))) client.gone(record.family, record.id);
}

/** Removes records, and once more those that a list shows although a read said that they are gone. What it goes on showing is left. */
async function removeProvenly(client: ErsClient, tries: Persistence): Promise<Residue[]> {
  for (let round = 1; ; round += 1) {
    const asked = client.created();
    const left = await removeRecords(client, tries);
    const stays = new Set(left.map(recordKey));
    const others = (records: readonly OwnRecord[]) => records.filter((record) => !stays.has(recordKey(record)));
    await tries.persist(async () => {
      await findInLists(client, others(asked));
      return true;
    });
    const back = others(client.created());
    if (back.length === 0) return left;
    if (round === ROUNDS) return [...left, ...back.map((record) => recordResidue(client, record))];
  }
}

/** Runs a step of the clean-up by itself: a fault in it leaves what the ledger still holds, and the next steps run. */
async function alone(step: () => Promise<Residue[]>, otherwise: () => Residue[]): Promise<Residue[]> {
  try {
    return await step();
  } catch {
    return otherwise();
  }
}

/** Records that an answer gave for ours and that were not touched, each with the command that reads it. */
function notOurs(client: ErsClient): NonNullable<Cleanup['leftAlone']> {
  const short = (text: string) => inert(text, LONGEST_SHOWN);
  return client.leftAlone().map(({ family, id, name, why }) => ({
    family,
    id: short(id),
    ...defined({ name: name === undefined ? undefined : short(name) }),
    why,
    command: curlCommand(client, OPS.read.method, recordPath(family, excerpt(id, LONGEST_SHOWN))),
  }));
}

/**
 * Removes everything that this run created, newest first, with retries. A read (404) or the list proves each removal.
 * Works on after the run was aborted. What is left is reported with the command that removes it. Never throws.
 */
export async function removeCreated(client: ErsClient, deps: { readonly clock: Clock }): Promise<Cleanup> {
  const cleaner = steadyReads(client.view({ signal: 'ignored' }));
  const tries = persistence(deps.clock);
  const byName = () =>
    alone(
      () => resolveNames(cleaner, tries),
      () => cleaner.unresolved().map((one) => unknownResidue(cleaner, one)),
    );
  const byId = () =>
    alone(
      () => removeProvenly(cleaner, tries),
      () => cleaner.created().map((record) => recordResidue(cleaner, record)),
    );
  const survivors = async () => {
    await tries.persist(async () => {
      await findSurvivors(cleaner);
      return true;
    });
    return [];
  };
  await alone(survivors, () => []);
  const residue = [...(await byName()), ...(await byId())];
  const open = new Set(residue.map(({ family, name }) => `${family}/${name}`));
  // Ids that turned out to be wrong leave the name: the record may be under another id.
  if (cleaner.unresolved().some(({ family, name }) => !open.has(`${family}/${name}`))) {
    const fresh = await byName();
    residue.push(...fresh.filter(({ family, name }) => !open.has(`${family}/${name}`)), ...(await byId()));
  }
  // Their deletes were answered with success, and no look could show since that they did anything.
  residue.push(...cleaner.unproven().map((record) => recordResidue(cleaner, record)));
  const { created, removed } = cleaner.totals();
  const endpoints = await alone(
    () => clearTouched(cleaner, tries),
    () => cleaner.touched().map((address) => endpointResidue(cleaner, address)),
  );
  const left = [...new Map([...residue, ...endpoints].map((one) => [JSON.stringify(one), one])).values()];
  const still = left.filter(({ id }) => id !== UNKNOWN_ID).length;
  const strays = notOurs(cleaner);
  return {
    created,
    removed: Math.max(0, Math.min(Math.max(removed, cleaner.totals().removed), created - still)),
    residue: left,
    ...(strays.length === 0 ? {} : { leftAlone: strays }),
  };
}
