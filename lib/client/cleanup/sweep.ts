import type { Clock } from '../../clock.ts';
import { OPS, PATH_PREFIX } from '../../contract/operations.ts';
import type { RunEnd } from '../../records/run.ts';
import { runStartOf } from '../../run-name.ts';
import type { ErsClient, OwnRecord } from '../types.ts';
import { removeCreated } from './cleanup.ts';
import { endpointResidue } from './clear-touched.ts';
import { curlCommand } from './curl-command.ts';
import type { JournalRest } from './outstanding.ts';
import { type Holder, searchHolders } from './sweep-endpoints.ts';
import { searchByName, searchRest, sweepable } from './sweep-search.ts';

type Residue = RunEnd['cleanup']['residue'];

/** What a sweep has found on the target before it removes anything. */
export interface SweepFindings {
  readonly records: readonly OwnRecord[];
  readonly endpoints: readonly Holder[];
  /** What matches and is left alone on purpose, with the reason. */
  readonly kept: readonly { readonly what: string; readonly why: string }[];
  /** What a person has to look at, with the command for it. */
  readonly unclear: Residue;
}

/** The steps of a search in a journal: what it may have left, the prefix of its names, the policy it put on endpoints. */
export interface JournalSearch {
  readonly rest: JournalRest;
  readonly prefix: string;
  readonly policy: string | undefined;
}

/** Looks for what a run left, by its journal. Sends GET only. */
export async function findByJournal(
  client: ErsClient,
  { rest, prefix, policy }: JournalSearch,
): Promise<SweepFindings> {
  const { found, unsearched } = await searchRest(client, rest, prefix);
  const { pool } = client.options;
  const holders = pool === undefined ? [] : await searchHolders(client, pool);
  // A record that names no policy is ours: the run put one only on endpoints that held none.
  const ours = holders.filter((holder) => holder.policy === policy || holder.policy === '');
  const foreign = holders.filter((holder) => !ours.includes(holder));
  return {
    records: found,
    endpoints: ours,
    kept: foreign.map(({ macAddress, policy: held }) => ({
      what: macAddress,
      why: `holds "${held}", which this run did not put there`,
    })),
    unclear: unsearched,
  };
}

/** Looks for records whose name begins so and whose run began at least `olderThanMs` ago. Sends GET only. */
export async function findByPrefix(
  client: ErsClient,
  prefix: string,
  { now, olderThanMs }: { readonly now: Date; readonly olderThanMs: number },
): Promise<SweepFindings> {
  const { found, unsearched } = await searchByName(client, sweepable(client), (_family, name) =>
    name.startsWith(prefix),
  );
  const startOf = ({ name }: OwnRecord) => runStartOf(name ?? '');
  const isOld = (start: Date | undefined) => start !== undefined && now.getTime() - start.getTime() >= olderThanMs;
  const undated = found.filter((record) => startOf(record) === undefined);
  const young = found.filter((record) => startOf(record) !== undefined && !isOld(startOf(record)));
  return {
    records: found.filter((record) => isOld(startOf(record))),
    endpoints: [],
    kept: young.map((record) => ({
      what: `${record.family} ${record.id} ${record.name}`,
      why: `its run began ${startOf(record)?.toISOString()}: it may still be running`,
    })),
    unclear: [...unsearched, ...undated.map((record) => ({ ...record, command: removalOf(client, record) }))],
  };
}

function removalOf(client: ErsClient, { family, id }: OwnRecord): string {
  const path = `${PATH_PREFIX}/${encodeURIComponent(family)}/${encodeURIComponent(id)}`;
  return curlCommand(client, OPS.delete.method, path);
}

/** What stands on the target as long as nothing is removed, with the commands that remove it. */
export function residueOf(client: ErsClient, { records, endpoints, unclear }: SweepFindings): Residue {
  return [
    ...records.map((record) => ({ ...record, command: removalOf(client, record) })),
    ...endpoints.map(({ macAddress }) => endpointResidue(client, macAddress)),
    ...unclear,
  ];
}

/** Removes what was found and proves it; returns what is left, with the commands that remove it. */
export async function removeFindings(
  client: ErsClient,
  findings: SweepFindings,
  deps: { readonly clock: Clock },
): Promise<RunEnd['cleanup']> {
  for (const { family, id, name } of findings.records) client.adopt(family, id, name ?? '');
  for (const { macAddress } of findings.endpoints) client.mark('applied', macAddress);
  const cleanup = await removeCreated(client, deps);
  return { ...cleanup, residue: [...cleanup.residue, ...findings.unclear] };
}
