import type { Clock } from '../../clock.ts';
import { type InRounds, persistence } from '../http/retry-with-backoff.ts';
import { steadyReads } from '../http/retrying-reads.ts';
import { recordKey } from '../safety/record-identity.ts';
import { isUsableId } from '../safety/record-path.ts';
import { denies } from '../safety/registry.ts';
import type { ErsClient, OwnRecord } from '../types.ts';
import { clearTouched } from './clear-touched.ts';
import { MOST_READ, nameReader } from './find-by-name.ts';
import { lookInList } from './look-in-list.ts';
import { canRead, isRefusal, readOwn, remove, removePlain } from './remove.ts';
import {
  type Cleanup,
  type Residue,
  recordResidue,
  type Stray,
  strayRecord,
  UNKNOWN_ID,
  unknownResidue,
} from './residue.ts';

const ROUNDS = 2;
/** Records whose delete was refused that are given plain texts, so that it may be taken. */
const MOST_PLAIN = 50;

/**
 * Looks once more at records whose delete was answered with success, removes all records of the run, newest first, and looks in the lists
 * of their families, until these show nothing more. The books say afterwards what is left. Returns the keys of records that no read found any
 * more.
 */
async function removeRecords(client: ErsClient, inRounds: InRounds) {
  const names = nameReader(client, MOST_READ);
  const denied = new Set<string>();
  // A list may show for a while what reads deny.
  const isBack = (family: string) => (record: OwnRecord) => record.family === family && denied.has(recordKey(record));
  const lookInLists = (records: readonly OwnRecord[]) =>
    inRounds({
      items: [...new Set([...records, ...client.unresolved()].map(({ family }) => family))],
      group: (family) => family,
      async work(family) {
        const back = client.created().filter(isBack(family)).slice(0, MOST_READ);
        for (const record of back) await readOwn(client, record);
        return (await lookInList(client, names, family)) && !client.created().some(isBack(family));
      },
    });
  const group = ({ family }: OwnRecord) => family;
  const isLeft = ({ family, id }: OwnRecord) => client.standing(family, id) === 'ours';
  await inRounds({
    items: client.unproven(),
    group,
    atOnce: client.options.target.connections,
    async work(record) {
      if ((await readOwn(client, record)) !== undefined) client.adopt(record);
      // A read that tells nothing leaves it to the list.
      return true;
    },
  });
  await lookInLists(client.owned().filter((record) => !isLeft(record)));
  const tried = new Set<string>();
  const refused = new Set<OwnRecord>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const asked = client.created().filter((record) => !tried.has(recordKey(record)));
    if (asked.length === 0) break;
    const left = await inRounds({
      items: asked,
      group,
      work: async (record) => {
        const { deleted } = await remove(client, record);
        if (isRefusal(deleted)) refused.add(record);
        if (isLeft(record)) denied.delete(recordKey(record));
        else denied.add(recordKey(record));
        return !isLeft(record);
      },
    });
    for (const record of left) tried.add(recordKey(record));
    await lookInLists(asked);
  }
  for (const record of [...refused].filter(isLeft).slice(0, MOST_PLAIN)) await removePlain(client, record);
  return denied;
}

/** Records that may be ours, were not proven to be, and were not touched, each with the command that reads it; without those that are gone by now. */
async function notOurs(client: ErsClient, inRounds: InRounds): Promise<Stray[]> {
  const isRead = ({ family, id }: OwnRecord) => isUsableId(id) && canRead(client, family);
  const all = client.leftAlone().filter(({ kind }) => kind !== 'namesake');
  // A target that shows writes late may have shown one of ours as it was before the last of them.
  const stay = await inRounds({
    items: all.filter(isRead),
    group: ({ family }) => family,
    atOnce: client.options.target.connections,
    work: async ({ family, id }) => denies(await client.send(family, 'read', { id }), id),
  });
  return [...all.filter((one) => !isRead(one)), ...stay].map((one) => strayRecord(client, one, one.why));
}

/**
 * Removes everything that this run created, newest first, with retries, and once more when nothing can come late. A read (404) or the list proves each removal.
 * Works on after the run was aborted. What is left is reported with the command that removes it. Never throws.
 */
export async function removeCreated(client: ErsClient, deps: { readonly clock: Clock }): Promise<Cleanup> {
  const cleaner = steadyReads(client.view({ signal: 'ignored' }));
  const inRounds = persistence(deps.clock);
  const takeAway = async () => ({
    denied: await removeRecords(cleaner, inRounds),
    endpoints: await clearTouched(cleaner, inRounds),
  });
  let taken = await takeAway();
  if (await cleaner.waitsForLate()) taken = await takeAway();
  const { denied, endpoints } = taken;
  // A record that a list goes on showing may be there, or the list may be wrong.
  const listed = { why: 'a list shows it, and no read finds it' };
  const left = cleaner
    .created()
    .map((record) => ({ ...recordResidue(cleaner, record), ...(denied.has(recordKey(record)) ? listed : {}) }));
  // Of the unproven ones the delete was answered with success, and no look could show since that it did anything.
  const residue: Residue[] = [
    ...[...left, ...endpoints],
    ...cleaner.unproven().map((record) => ({ ...recordResidue(cleaner, record), standing: 'removed' as const })),
    ...cleaner.unresolved().map((one) => unknownResidue(cleaner, one)),
  ];
  const { created, removed } = cleaner.totals();
  const still = residue.filter(({ id }) => id !== UNKNOWN_ID).length;
  const strays = await notOurs(cleaner, inRounds);
  return {
    created,
    removed: Math.max(0, Math.min(removed, created - still)),
    residue,
    ...(strays.length === 0 ? {} : { leftAlone: strays }),
  };
}
