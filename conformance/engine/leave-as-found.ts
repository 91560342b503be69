import { landedOutside } from '../../lib/client/anc/look.ts';
import { removeCreated } from '../../lib/client/cleanup/cleanup.ts';
import { MOST_READ, nameReader } from '../../lib/client/cleanup/find-by-name.ts';
import { recordResidue, type Stray, strayEndpoint, strayRecord } from '../../lib/client/cleanup/residue.ts';
import { homesOf, isUsableId, type ListEntry, recordKey } from '../../lib/client/safety/record-identity.ts';
import type { ErsClient, OwnRecord } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { type FamilyTable, offers } from '../../lib/contract/types.ts';
import type { RunEnd } from '../../lib/records/run.ts';
import { namesOfRun, runPrefix } from '../../lib/run-name.ts';
import { counted } from '../../lib/text.ts';
import { ancFamily } from '../../lib/wire/anc.ts';
import { fingerprint, type Print } from './fingerprint.ts';

type Cleanup = RunEnd['cleanup'];

export interface Leaving {
  readonly client: ErsClient;
  readonly table: FamilyTable;
  readonly clock: Clock;
  readonly families: readonly string[];
  /** What was there before the first write; undefined if nobody looked, and then nobody looks afterwards. */
  readonly before: Print | undefined;
}

/** Records of this run that the lists still show, and that the ledger takes for gone or never knew. */
async function stillShown({ client, table }: Leaving, after: Print): Promise<readonly OwnRecord[]> {
  const owned = new Map(client.owned().map((record) => [recordKey(record), record]));
  const isOfRun = namesOfRun(client.options.runId);
  const names = nameReader(client.view({ signal: 'ignored' }), MOST_READ);
  const shown = new Map<string, OwnRecord>();
  // Of a record that its own list lacks, a view shows what was: that is the view's fault, and nothing is left.
  const isTold = (home: string, family: string) =>
    home !== family && after.ids.has(home) && !after.unknown.includes(home);
  for (const [family, entries] of after.fresh) {
    const homes = homesOf(table, family);
    const unknown: ListEntry[] = [];
    for (const entry of entries) {
      const own = homes.flatMap((home) => owned.get(recordKey({ family: home, id: entry.id })) ?? [])[0];
      if (own === undefined) unknown.push(entry);
      else if (!isTold(own.family, family) && client.standing(own.family, own.id) === 'gone')
        shown.set(recordKey(own), own);
    }
    if (!offers(table, family, 'delete')) continue;
    const asked = unknown.filter(({ id }) => client.standing(family, id) === undefined);
    const { named } = await names(family, asked).catch(() => ({ named: [] }));
    for (const record of named) if (isOfRun(record.name ?? '')) shown.set(recordKey(record), record);
  }
  return [...shown.values()];
}

/** Records that came in families with creates that no name shows: the target may have named them itself. At most one for each create. */
const ofNoName = ({ client, table }: Leaving, after: Print): readonly Stray[] =>
  [...after.fresh].flatMap(([family, entries]) => {
    const vanished = offers(table, family, 'delete') ? client.vanished(family) : 0;
    const why = `it came while the run was on, and nothing is found of ${counted(vanished, 'create')} that ${vanished === 1 ? 'was' : 'were'} or may have been done`;
    const unknown = entries.filter(({ id }) => client.standing(family, id) === undefined);
    return unknown.slice(0, vanished).map((entry) => strayRecord(client, { family, ...entry }, why));
  });

/** Records of a family that are read to see if they refer to ours, and letters that an id needs to prove it. */
const MOST_ASKED = 50;
const LEAST_LETTERS = 8;

/** Records that came while the run was on and show its mark, or the id of one of its records: the target made them beside it, or of it. */
async function besideOurs({ client, table }: Leaving, after: Print): Promise<readonly Stray[]> {
  const own = client.owned().filter(({ id }) => id.length >= LEAST_LETTERS);
  const { runId } = client.options;
  const isMarked = ({ name, description }: ListEntry) =>
    [name, description].some((text) => text?.toLowerCase().includes(runPrefix(runId)));
  const reader = client.view({ signal: 'ignored' });
  const isNew = (family: string, id: string) => isUsableId(id) && client.standing(family, id) === undefined;
  const found: Stray[] = [];
  for (const [family, entries] of after.fresh) {
    if (!offers(table, family, 'delete')) continue;
    const unknown = entries.filter(({ id, name = '' }) => isNew(family, id) && !namesOfRun(runId)(name));
    const bears = 'it came while the run was on, and bears the mark of the run';
    const marked = unknown.filter(isMarked).slice(0, MOST_READ);
    found.push(...marked.map((entry) => strayRecord(client, { family, ...entry }, bears)));
    const asked = own.length === 0 || !offers(table, family, 'read') ? [] : unknown.filter((entry) => !isMarked(entry));
    for (const entry of asked.slice(0, MOST_ASKED)) {
      const { body = '' } = (await reader.send(family, 'read', { id: entry.id }).catch(() => undefined)) ?? {};
      const one = own.find(({ id }) => body.includes(id));
      const why = `it came while the run was on, and holds the id ${one?.id} of a record of the run`;
      if (one !== undefined) found.push(strayRecord(client, { family, ...entry }, why));
    }
  }
  return found;
}

/** Endpoints outside of the pool that came to hold a policy of the run while it was on. */
async function outsideOfPool({ client, table, before }: Leaving, after: Print): Promise<readonly Stray[]> {
  const family = ancFamily(table) ?? '';
  const came = before?.unknown.includes(family) ? [] : (after.fresh.get(family) ?? []);
  const ids = came.map(({ id }) => id);
  const landed = await landedOutside(client.view({ signal: 'ignored' }), ids);
  return [...landed].map(([mac, policy]) => strayEndpoint(client, mac, policy));
}

/** Removes what the run made and reads every list again: what it still shows is removed once more, or listed as left. Never throws. */
export async function leaveAsFound(leaving: Leaving): Promise<Cleanup> {
  const { client, table, families, clock, before } = leaving;
  const cleanup = await removeCreated(client, { clock });
  if (before === undefined) return cleanup;
  const look = () => fingerprint(client, table, families, { print: before, clock });
  const compared = async (done: Cleanup, after: Print): Promise<Cleanup> => {
    const strays = [...(await besideOurs(leaving, after)), ...(await outsideOfPool(leaving, after))];
    const leftAlone = [...(done.leftAlone ?? []), ...ofNoName(leaving, after), ...strays];
    // What is not known proves nothing.
    const isWhole = before.unknown.length + after.unknown.length === 0;
    return {
      ...done,
      ...(leftAlone.length === 0 ? {} : { leftAlone }),
      fingerprint: { before: before.line, after: after.line, equal: isWhole && before.line === after.line },
    };
  };
  const after = await look();
  const shown = await stillShown(leaving, after);
  if (shown.length === 0) return compared(cleanup, after);
  for (const record of shown) client.adopt(record);
  const again = await removeCreated(client, { clock });
  const last = await look();
  const left = (await stillShown(leaving, last)).map((record) => recordResidue(client, record));
  // What a list shows is there, whatever the answer to its delete said.
  const listed = new Set(left.map(recordKey));
  const others = again.residue.filter((record) => !listed.has(recordKey(record)));
  return compared({ ...again, residue: [...left, ...others] }, last);
}
