import pLimit from 'p-limit';
import { OPS } from '../../contract/operations.ts';
import { hasOp } from '../../contract/types.ts';
import { TargetError } from '../../errors.ts';
import type { RunEnd } from '../../records/run.ts';
import { readEntries } from '../http/read-entries.ts';
import { isUsableId } from '../safety/ids.ts';
import { recordPath } from '../safety/record-path.ts';
import type { ErsClient, OwnRecord } from '../types.ts';
import { curlCommand } from './curl-command.ts';
import { nameReader, nameShown } from './names.ts';
import type { JournalTrail } from './outstanding.ts';
import { unknownResidue } from './residue.ts';

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

/** Looks through whole families, page by page, for records whose name the test takes. No filter is trusted. */
export async function searchByName(
  client: ErsClient,
  families: readonly string[],
  takes: (family: string, name: string) => boolean,
): Promise<RecordSearch> {
  const found: OwnRecord[] = [];
  const unsearched: Residue = [];
  const names = nameReader(client);
  for (const family of families) {
    const missed = (why: string) => unsearched.push(unknownResidue(client, { family, name: why }));
    try {
      const walk = await readEntries(client, family, { size: 100 }, MAX_PAGES);
      const { named, unknown } = await names(family, walk.entries);
      found.push(...named.filter(({ name }) => name !== undefined && takes(family, name)));
      if (unknown.length > 0) missed(`${unknown.length} of its records show no name that could be read`);
      if (walk.complete || (walk.entries.length === 0 && MISSING.has(walk.status))) continue;
      missed(`its list answered ${walk.status} and was not read to its end`);
    } catch (fault) {
      // One family that cannot be searched hides nothing of the others; a refused login is the same for all.
      if (!(fault instanceof TargetError) || fault.code === 'refused-login') throw fault;
      missed(`it could not be searched: ${fault.code}`);
    }
  }
  return { found, unsearched };
}

/** What a look for the records of one run found. */
export interface RunSearch extends RecordSearch {
  /** Records that the journal names and that bear a name of somebody else's. */
  readonly foreign: readonly OwnRecord[];
}

/**
 * Records of a run that are still there: those whose name begins as its names do, in every family it wrote to, and those
 * that its journal names and no list shows. A record counts only by the name that it bears on the target.
 */
export async function searchTrail(
  client: ErsClient,
  trail: JournalTrail,
  isOfRun: (name: string) => boolean,
): Promise<RunSearch> {
  const families = sweepable(client).filter((family) => trail.families.includes(family));
  const search = await searchByName(client, families, (_family, name) => isOfRun(name));
  const listed = new Set(search.found.map(({ family, id }) => `${family} ${id}`));
  const noted = trail.records.filter(
    ({ family, id }) => sweepable(client).includes(family) && isUsableId(id) && !listed.has(`${family} ${id}`),
  );
  const found = [...search.found];
  const unsearched = [...search.unsearched];
  const foreign: OwnRecord[] = [];
  const slots = pLimit(client.options.target.connections);
  const look = async ({ family, id }: OwnRecord) => {
    const exchange = await client.send(family, 'read', { id });
    if (MISSING.has(exchange.status)) return;
    const name = nameShown(exchange, family);
    if (name !== undefined && isOfRun(name)) found.push({ family, id, name });
    else if (name !== undefined) foreign.push({ family, id, name });
    else {
      const why = `its read answered ${exchange.status}`;
      unsearched.push({ family, id, name: why, command: curlCommand(client, OPS.read.method, recordPath(family, id)) });
    }
  };
  await Promise.all(noted.map((record) => slots(() => look(record))));
  // What the journal knows comes first, in the order it was made: removal goes from the end.
  const order = new Map(trail.records.map(({ family, id }, index) => [`${family} ${id}`, index]));
  const place = ({ family, id }: OwnRecord) => order.get(`${family} ${id}`) ?? trail.records.length;
  return { found: found.sort((a, b) => place(a) - place(b)), unsearched, foreign };
}
