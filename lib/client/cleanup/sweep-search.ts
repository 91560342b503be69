import pLimit from 'p-limit';
import { OPS, PATH_PREFIX } from '../../contract/operations.ts';
import { hasOp } from '../../contract/types.ts';
import { memberOf } from '../../contract/vendor.ts';
import { defined } from '../../defined.ts';
import type { RunEnd } from '../../records/run.ts';
import { walkList } from '../http/walk-list.ts';
import type { ListEntry } from '../safety/list-entries.ts';
import type { ErsClient, OwnRecord } from '../types.ts';
import { curlCommand } from './curl-command.ts';
import type { JournalRest } from './outstanding.ts';

type Residue = RunEnd['cleanup']['residue'];

/** Records that were found, and families that could not be searched, with the command to look for oneself. */
export interface RecordSearch {
  readonly found: readonly OwnRecord[];
  readonly unsearched: Residue;
}

const MAX_PAGES = 1000;
const MISSING: ReadonlySet<number> = new Set([404, 410]);

/** Families in which records can be made and removed again. */
export function sweepable(client: ErsClient): readonly string[] {
  const { table } = client.options;
  return Object.keys(table).filter((name) => {
    const family = table[name];
    return family !== undefined && hasOp(family, 'list') && hasOp(family, 'delete');
  });
}

/** Name that a record bears, under the member that the family uses for it. */
async function readName(client: ErsClient, family: string, id: string): Promise<string | undefined> {
  const { json } = await client.send(family, 'read', { id });
  const held = typeof json === 'object' && json !== null ? Object.values(json) : [];
  const record = held.find((value): value is Record<string, unknown> => typeof value === 'object' && value !== null);
  return [memberOf(family, 'name'), 'name']
    .map((member) => record?.[member])
    .find((name): name is string => typeof name === 'string');
}

async function named(client: ErsClient, family: string, entries: readonly ListEntry[]): Promise<OwnRecord[]> {
  const slots = pLimit(client.options.target.connections);
  return Promise.all(
    entries.map(async ({ id, name }) => {
      const known = name ?? (await slots(() => readName(client, family, id)));
      return { family, id, ...defined({ name: known }) };
    }),
  );
}

/** Looks through whole families, page by page, for records whose name the test takes. No filter is trusted. */
export async function searchByName(
  client: ErsClient,
  families: readonly string[],
  takes: (family: string, name: string) => boolean,
): Promise<RecordSearch> {
  const found: OwnRecord[] = [];
  const unsearched: Residue = [];
  for (const family of families) {
    const walk = await walkList(client, family, { size: 100 }, MAX_PAGES);
    const records = await named(client, family, walk.entries);
    found.push(...records.filter(({ name }) => name !== undefined && takes(family, name)));
    if (walk.complete || (walk.entries.length === 0 && MISSING.has(walk.status))) continue;
    const command = curlCommand(client, OPS.list.method, `${PATH_PREFIX}/${encodeURIComponent(family)}`);
    unsearched.push({ family, id: '(not known)', name: `its list answered ${walk.status}`, command });
  }
  return { found, unsearched };
}

/** Those of a journal's records that are still there, and those that only their name, or the run's prefix, tells. */
export async function searchRest(client: ErsClient, rest: JournalRest, prefix: string): Promise<RecordSearch> {
  const wanted = new Set(rest.names.map(({ family, name }) => `${family} ${name}`));
  const begin = prefix.toLowerCase();
  const families = sweepable(client).filter((family) => rest.families.includes(family));
  const { found, unsearched } = await searchByName(
    client,
    families,
    (family, name) => name.toLowerCase().startsWith(begin) || wanted.has(`${family} ${name}`),
  );
  const listed = new Set(found.map(({ family, id }) => `${family} ${id}`));
  const hidden: OwnRecord[] = [];
  for (const record of rest.records.filter(({ family, id }) => !listed.has(`${family} ${id}`))) {
    const { status } = await client.send(record.family, 'read', { id: record.id });
    if (!MISSING.has(status)) hidden.push(record);
  }
  // What the journal knows comes first, in the order it was made: removal goes from the end.
  const order = new Map(rest.records.map(({ family, id }, index) => [`${family} ${id}`, index]));
  const place = ({ family, id }: OwnRecord) => order.get(`${family} ${id}`) ?? rest.records.length;
  return { found: [...hidden, ...found].sort((a, b) => place(a) - place(b)), unsearched };
}
