import pLimit from 'p-limit';
import type { Clock } from '../../clock.ts';
import { defined } from '../../defined.ts';
import { namesOfRun } from '../../run-name.ts';
import { answerWords } from '../../said.ts';
import { isNotFound, isSuccess } from '../../wire/answer.ts';
import { type ListedEntries, readEntries } from '../http/read-entries.ts';
import { type InRounds, persistence, steadyReads } from '../http/retries.ts';
import { saidIn } from '../http/said.ts';
import { isUsableId, recordKey } from '../safety/record-identity.ts';
import { denies } from '../safety/registry.ts';
import type { ErsClient, LeftAlone, OwnRecord } from '../types.ts';
import { clearTouched } from './clear-touched.ts';
import { findByName, MAX_PAGES, MOST_READ, type Names, nameReader } from './find-by-name.ts';
import { canRead, isRefusal, readOwn, remove, removePlain } from './remove.ts';
import {
  type Cleanup,
  lostEndpoint,
  type Residue,
  recordResidue,
  type Stray,
  strayEndpoint,
  strayRecord,
  UNKNOWN_ID,
  unknownResidue,
} from './residue.ts';

/** Finds records of creates whose id never became known, or forgets their names: by the list as far as it was read, else by a filter. */
async function resolveNames(
  client: ErsClient,
  names: Names,
  family: string,
  { entries, complete, status }: ListedEntries,
  isOfRun: (name: string) => boolean,
): Promise<void> {
  const open = () => client.unresolved().flatMap((one) => (one.family === family ? [one.name] : []));
  const asked = open();
  if (asked.length === 0) return;
  const mayBe = (name: string) => (shown: { readonly id: string }) => client.mayBeNew(family, shown.id, name);
  const listed = new Set(entries.map(({ id }) => id));
  const known = client.owned().filter((record) => record.family === family && listed.has(record.id));
  const { named, unknown } = await names(
    family,
    entries.filter(({ id, name: shown }) => {
      const standing = client.standing(family, id);
      // A name of ours under an id that is not: nobody can tell where our record is.
      if (shown !== undefined) return standing === undefined || standing === 'foreign';
      return standing === undefined && asked.some((name) => mayBe(name)({ id }));
    }),
  );
  const texts = named.map(({ name }) => name?.toLowerCase()).join('\n');
  /** Adopts what bears the name; true if nothing that is shown may be of it. */
  const isDenied = (name: string): boolean => {
    const part = name.trim().toLowerCase();
    const like = texts.includes(part) ? named.filter((record) => record.name?.toLowerCase().includes(part)) : [];
    const own = [...like, ...known].filter((record) => record.name === name);
    for (const { id } of own) client.adopt({ family, id, name });
    // What bears a name that others may have too and was there before it was sent is somebody else's: it is not on the books.
    const isOurs = own.some(({ id }) => isOfRun(name) || client.standing(family, id) !== undefined);
    // A new record that shows the name with more around it, or no name at all, may be it.
    return !isOurs && ![...like, ...unknown].some(mayBe(name));
  };
  const denied = asked.filter(isDenied);
  // A family in which nothing was ever answered is not served: nothing can be in it.
  const isWhole = complete || (entries.length === 0 && isNotFound({ status }) && !client.isServed(family));
  if (isWhole) for (const name of denied) client.dismiss(family, name);
  if (isWhole && unknown.length === 0) return;
  const twin = entries.find(({ name }) => name !== undefined)?.name;
  const ask = async (name: string) => {
    const { ids, isNone } = await findByName(client, family, name, { names, twin });
    for (const id of ids) client.adopt({ family, id, name });
    if (isNone && denied.includes(name)) client.dismiss(family, name);
  };
  await pLimit(client.options.target.connections).map(open(), ask);
}

/**
 * Reads the list of a family for records of the run: those are to be removed again. Removed records that no read spoke
 * of count as gone if the whole list lacks them. Gives what kept it from that while creates are still open; else nothing.
 */
async function lookInList(client: ErsClient, names: Names, family: string): Promise<string> {
  const walk = await readEntries(client, family, { size: 100 }, MAX_PAGES);
  const listed = new Set(walk.entries.map(({ id }) => id));
  const unproven = new Set(client.unproven());
  for (const record of client.owned()) {
    const isUnproven = unproven.has(record);
    if (record.family !== family || !(isUnproven || client.standing(family, record.id) === 'gone')) continue;
    if (listed.has(record.id)) client.adopt(record);
    else if (walk.complete && isUnproven) client.gone(family, record.id);
  }
  // A create that seemed to have made nothing did, if any list showed its name, unless a removed record had that before.
  for (const one of client.unresolved().filter((each) => each.family === family))
    for (const id of one.ids) if (client.standing(family, id) !== 'gone') client.adopt({ family, id, name: one.name });
  const isOfRun = namesOfRun(client.options.runId);
  for (const { id, name = '' } of walk.entries) if (isOfRun(name)) client.adopt({ family, id, name });
  await resolveNames(client, names, family, walk, isOfRun);
  const isOpen = !isSuccess(walk) && client.unresolved().some((one) => one.family === family);
  return isOpen ? `its list was answered ${walk.status}` : '';
}

const ROUNDS = 2;
/** Records whose delete was refused that are given plain texts, so that it may be taken. */
const MOST_PLAIN = 50;

/** Proves the removals that were answered with success, removes all records of the run, newest first, until no list shows any more. */
async function removeRecords(client: ErsClient, inRounds: InRounds, reasons: Map<string, string>): Promise<void> {
  const names = nameReader(client, MOST_READ);
  const denied = new Set<string>();
  // A list may show for a while what reads deny.
  const isBack = (family: string) => (record: OwnRecord) => record.family === family && denied.has(recordKey(record));
  const lookInLists = (records: readonly OwnRecord[]) =>
    inRounds({
      items: [...new Map([...records, ...client.unresolved()].map(({ family }) => [family, { family }])).values()],
      async work({ family }) {
        const back = client.created().filter(isBack(family)).slice(0, MOST_READ);
        for (const record of back) await readOwn(client, record);
        const kept = await lookInList(client, names, family);
        reasons.set(family, kept);
        return kept === '' && !client.created().some(isBack(family));
      },
    });
  const isLeft = ({ family, id }: OwnRecord) => client.standing(family, id) === 'ours';
  await inRounds({
    items: client.unproven(),
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
      work: async (record) => {
        const key = recordKey(record);
        const { deleted } = await remove(client, record);
        if (isRefusal(deleted)) refused.add(record);
        const status = deleted && answerWords(deleted.status, saidIn(client, deleted));
        const still = deleted !== undefined && isSuccess(deleted) ? ', and it is still there' : '';
        const words =
          status === undefined ? 'no look shows that it is of this run' : `its delete was answered ${status}${still}`;
        if (isLeft(record)) denied.delete(key);
        else denied.add(key);
        // A record that a list goes on showing may be there, or the list may be wrong.
        reasons.set(key, isLeft(record) ? words : 'a list shows it, and no read finds it');
        return !isLeft(record);
      },
    });
    for (const record of left) tried.add(recordKey(record));
    await lookInLists(asked);
  }
  for (const record of [...refused].filter(isLeft).slice(0, MOST_PLAIN)) {
    // What cannot be removed, an update makes no worse.
    const why = client.closed(record.family, 'update');
    client.refuse(record.family, undefined, 'update');
    await removePlain(client, record).finally(() => client.refuse(record.family, why, 'update'));
  }
}

/** Records that may be ours, were not proven to be, were not touched and are still there, each with the command that reads it. */
async function notOurs(client: ErsClient, missing: readonly LeftAlone[], inRounds: InRounds): Promise<Stray[]> {
  const isRead = ({ family, id, kind }: LeftAlone) => kind !== 'vanished' && isUsableId(id) && canRead(client, family);
  const all = [...client.leftAlone().filter(({ kind }) => kind !== 'namesake'), ...missing];
  // A target that shows writes late may have shown one of ours as it was before the last of them.
  const stay = await inRounds({
    items: all.filter(isRead),
    atOnce: client.options.target.connections,
    work: async ({ family, id }) => denies(await client.send(family, 'read', { id }), id),
  });
  return [...all.filter((one) => !isRead(one)), ...stay].map((one) => strayRecord(client, one, one.why));
}

/** Removes all that this run created, proven by a read or the list, even after an abort, and reports what is left. Never throws. */
export async function removeCreated(client: ErsClient, deps: { readonly clock: Clock }): Promise<Cleanup> {
  const cleaner = steadyReads(client.view({ signal: 'ignored' }));
  /** Why things are left, by the key of a record or an endpoint, or by family; by no key for all that was not tried any more. */
  const reasons = new Map<string, string>();
  const inRounds = persistence(deps.clock, (item, why) => {
    for (const key of ['id' in item ? recordKey(item as OwnRecord) : item.family, '']) reasons.set(key, why);
  });
  const whyOf = (one: Residue) => reasons.get(recordKey(one)) ?? reasons.get(one.family) ?? reasons.get('');
  const takeAway = async () => {
    await removeRecords(cleaner, inRounds, reasons);
    return clearTouched(cleaner, inRounds, deps.clock);
  };
  let endpoints = await takeAway();
  if (await cleaner.waitsForLate()) endpoints = await takeAway();
  const unproven = cleaner.unproven();
  const left = cleaner.created().filter((record) => !unproven.includes(record));
  // Of the unproven ones the delete was answered with success, or taken in with others, and no look could show since that it did anything.
  const all: Residue[] = [
    ...[...left.map((record) => recordResidue(cleaner, record)), ...endpoints],
    ...unproven.map((record) => ({ ...recordResidue(cleaner, record), standing: 'removed' as const })),
    ...cleaner.unresolved().map((one) => unknownResidue(cleaner, one)),
  ];
  const residue = all.map((one) => ({ ...one, ...defined({ why: (one.why ?? whyOf(one)) || undefined }) }));
  const { created, removed } = cleaner.totals();
  const lost = cleaner.lost().map((mac) => lostEndpoint(cleaner, mac));
  const missing = cleaner.missing();
  const still = residue.filter(({ id }) => id !== UNKNOWN_ID).length + missing.length + lost.length;
  const astray = cleaner.replaced().map(({ mac, was, policy }) => strayEndpoint(cleaner, mac, policy, was));
  const unsettled = cleaner.unsettled();
  const strays = [...(await notOurs(cleaner, missing, inRounds)), ...lost, ...astray];
  return {
    created,
    removed: Math.max(0, Math.min(removed, created - still)),
    residue,
    ...(strays.length === 0 ? {} : { leftAlone: strays }),
    ...(unsettled === 0 ? {} : { unsettled }),
  };
}
