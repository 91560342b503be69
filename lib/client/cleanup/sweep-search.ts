import pLimit from 'p-limit';
import { OPS } from '../../contract/operations.ts';
import { SAMPLE_DESCRIPTIONS } from '../../contract/samples.ts';
import { offers } from '../../contract/types.ts';
import { TargetError } from '../../errors.ts';
import { namesOfRun, runOfName, runPrefix } from '../../run-name.ts';
import { isNotFound, isSuccess } from '../../wire/answer.ts';
import {
  isUsableId,
  keyIn,
  type ListEntry,
  MARK,
  recordKey,
  recordPath,
  resourceOf,
} from '../safety/record-identity.ts';
import type { ErsClient, Exchange, OwnRecord } from '../types.ts';
import { nameReader, nameShown, readNames } from './find-by-name.ts';
import { type JournalTrail, nameKey } from './outstanding.ts';
import { curlCommand, type Residue, unknownResidue } from './residue.ts';

/** Families in which records can be made and removed again. */
export function sweepable(client: ErsClient): readonly string[] {
  const { table } = client.options;
  return Object.keys(table).filter((name) => offers(table, name, 'list') && offers(table, name, 'delete'));
}

/** Finds names that the test takes in whole families, and tells what was not searched. Trusts no filter, and no 404 if `isServed`. */
export async function searchByName(
  client: ErsClient,
  families: readonly string[],
  takes: (entry: ListEntry, family: string, name: string) => boolean,
  isServed = false,
) {
  const found: OwnRecord[] = [];
  const unsearched: Residue[] = [];
  const names = nameReader(client);
  for (const family of families) {
    const missed = (why: string) => unsearched.push(unknownResidue(client, { family, name: why }));
    try {
      const { entries, named, unknown, complete, status } = await readNames(client, names, family);
      const shown = new Map(entries.map((entry) => [entry.id, entry]));
      found.push(...named.filter(({ id, name }) => name !== undefined && takes(shown.get(id) ?? { id }, family, name)));
      if (unknown.length > 0) missed(`${unknown.length} of its records show no name that could be read`);
      if (complete || (entries.length === 0 && isNotFound({ status }) && !isServed)) continue;
      missed(`its list answered ${status} and was not read to its end`);
    } catch (fault) {
      // One family that cannot be searched hides nothing of the others; a refused login is the same for all.
      if (!(fault instanceof TargetError) || fault.code === 'refused-login') throw fault;
      missed(`it could not be searched: ${fault.code}`);
    }
  }
  return { found, unsearched };
}

const MOST_READ = 2000;

/** The text in which a run marks its records, as the answer to a read shows it. */
function markIn(exchange: Exchange): string {
  const text = isSuccess(exchange) ? resourceOf(exchange.json)?.[MARK] : undefined;
  return typeof text === 'string' ? text : '';
}

/** What the names of runs start with, of those of which a record shows that this program made it. */
export async function runsShown(
  client: ErsClient,
  records: readonly OwnRecord[],
): Promise<ReadonlySet<string | undefined>> {
  const shown = new Set<string>();
  const look = async ({ family, id, name = '' }: OwnRecord) => {
    const run = runOfName(name)?.prefix;
    if (run === undefined || shown.has(run)) return;
    const mark = markIn(await client.send(family, 'read', { id }));
    if (SAMPLE_DESCRIPTIONS.some((text) => mark.includes(text))) shown.add(run);
  };
  await pLimit(client.options.target.connections).map(records.slice(0, MOST_READ), look);
  return shown;
}

/**
 * Records of a run that are still there, in every family it wrote to. Two things have to say that a record is of the run:
 * its name and an id of the journal, its name and a create whose end the journal does not tell, or its mark and either of
 * them. `unproven` show one of these alone: somebody else may have made them, under a name that was free again.
 */
export async function searchTrail(client: ErsClient, trail: JournalTrail, runId: string) {
  const isOfRun = namesOfRun(runId);
  const mark = runPrefix(runId);
  const families = sweepable(client).filter((family) => trail.families.includes(family));
  const ids = new Set(trail.records.map(recordKey));
  const isNamed = (entry: ListEntry, family: string, name: string) =>
    isOfRun(name) ||
    ids.has(keyIn(family, entry.id)) ||
    trail.names.has(nameKey(family, name)) ||
    entry.description?.includes(mark) === true;
  const search = await searchByName(client, families, isNamed, true);
  const isOurs = ({ family, id, name = '' }: OwnRecord) =>
    isOfRun(name) && (ids.has(keyIn(family, id)) || trail.open.has(nameKey(family, name)));
  const found = search.found.filter(isOurs);
  const unsearched = [...search.unsearched];
  const unproven: OwnRecord[] = [];
  const look = async ({ family, id }: OwnRecord) => {
    const exchange = await client.send(family, 'read', { id });
    // What a list shows under a name of the run is there, whatever its read says: the list may show its id in another form.
    const isShown = (one: OwnRecord) => one.family === family && one.id === id && isOfRun(one.name ?? '');
    if (isNotFound(exchange) && !search.found.some(isShown)) return;
    const name = nameShown(exchange, family);
    const isMarked = markIn(exchange).includes(mark);
    // A colleague may have copied a record of ours, mark and all: under a name and an id that are not of the journal it is theirs.
    const isKnown = ids.has(keyIn(family, id)) || (name !== undefined && trail.names.has(nameKey(family, name)));
    if (name !== undefined && (isOurs({ family, id, name }) || (isMarked && (isKnown || isOfRun(name)))))
      found.push({ family, id, name });
    else if (name !== undefined) unproven.push({ family, id, name });
    else {
      const why = `its read answered ${exchange.status}`;
      unsearched.push({ family, id, name: why, command: curlCommand(client, OPS.read.method, recordPath(family, id)) });
    }
  };
  // A list may leave out what is there: it is believed of those alone that the target said were removed.
  const open = new Set(search.unsearched.map(({ family }) => family));
  const known = new Set(search.found.map(recordKey));
  const isOpen = (record: OwnRecord) => open.has(record.family) || !trail.isRemoved(record);
  const isAsked = (record: OwnRecord) => isUsableId(record.id) && offers(client.options.table, record.family, 'read');
  const unlisted = trail.records.filter((record) => isOpen(record) && isAsked(record) && !known.has(recordKey(record)));
  const unclear = [...search.found.filter((record) => !isOurs(record)), ...unlisted];
  await pLimit(client.options.target.connections).map(unclear.slice(0, MOST_READ), look);
  const more = unclear.slice(MOST_READ);
  for (const family of new Set(more.map((record) => record.family)))
    unsearched.push(unknownResidue(client, { family, name: 'more records of the journal than are read one by one' }));
  // What the journal knows comes first, in the order it was made: removal goes from the end.
  const order = new Map(trail.records.map((record, index) => [recordKey(record), index]));
  const place = (record: OwnRecord) => order.get(recordKey(record)) ?? trail.records.length;
  return { found: found.sort((one, other) => place(one) - place(other)), unsearched, unproven };
}
