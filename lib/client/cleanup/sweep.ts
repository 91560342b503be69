import type { Clock } from '../../clock.ts';
import { TargetError } from '../../errors.ts';
import { beginsWith, NAME_START, runOfName } from '../../run-name.ts';
import { holdingsOf } from '../anc/look.ts';
import type { NamedPool } from '../anc/pool.ts';
import type { Holding } from '../anc/state.ts';
import { LATE_MS } from '../safety/registry.ts';
import { normalAddress } from '../safety/targets.ts';
import type { ErsClient, OwnRecord } from '../types.ts';
import { removeCreated } from './cleanup.ts';
import { type JournalTrail, touchedEndpoints } from './outstanding.ts';
import {
  type Cleanup,
  doubtful,
  endpointResidue,
  policyShown,
  type Residue,
  recordResidue,
  strayEndpoint,
  strayRecord,
} from './residue.ts';
import { runsShown, searchByName, searchTrail, sweepable } from './sweep-search.ts';

const MOST_LISTED = 500;

export interface SweepFindings {
  readonly records: readonly OwnRecord[];
  readonly endpoints: readonly { readonly macAddress: string; readonly policy: string }[];
  readonly kept: readonly { readonly what: string; readonly why: string }[];
  readonly unclear: readonly Residue[];
}

/** What a sweep by journal goes by: what the run touched, its id, and what the operator lets it clear. */
export interface JournalSearch {
  readonly trail: JournalTrail;
  readonly runId: string;
  /** Pool and policies as the operator named them; undefined if endpoints are not to be touched. */
  readonly anc?: { readonly pool: NamedPool; readonly policies: readonly string[] };
}

/** Milliseconds until everything that the run sent has taken effect, or will not any more. */
export const lateOf = ({ lastMs }: Pick<JournalTrail, 'lastMs'>, now: Date): number =>
  Math.min(LATE_MS, Math.max(0, lastMs + LATE_MS - now.getTime()));

/** By the clock of the target if that is behind: on a machine whose clock is ahead, a run that has just begun would be old. */
export function earliest(now: Date, date: string | undefined): Date {
  const told = Date.parse(date ?? '');
  return told < now.getTime() ? new Date(told) : now;
}

/** Looks at every record and endpoint that a run touched, by its journal. Sends GET only. */
export async function findByJournal(client: ErsClient, { trail, runId, anc }: JournalSearch): Promise<SweepFindings> {
  const held = anc === undefined ? { endpoints: [], unclear: [] } : await findEndpoints(client, trail, anc);
  const { found, unsearched, unproven } = await searchTrail(client, trail, runId);
  const why = 'somebody else may have made it: its name, its mark and the journal do not all say that it is of the run';
  const unknown = unproven.map((record) => doubtful(strayRecord(client, record, why)));
  return { ...held, records: found, kept: [], unclear: [...unsearched, ...unknown, ...held.unclear] };
}

/** Endpoints of the operator's pool that the run touched and that hold a policy of the run. */
async function findEndpoints(
  client: ErsClient,
  trail: JournalTrail,
  { pool, policies }: NonNullable<JournalSearch['anc']>,
) {
  const macs = touchedEndpoints(trail, pool).map((index) => normalAddress(pool.at(index).macAddress));
  // Where nobody could look, each of them may still hold the policy.
  const { holdings } = await holdingsOf(client, macs).catch((fault: unknown) => {
    if (fault instanceof TargetError && fault.code !== 'refused-login') return { holdings: new Map<string, Holding>() };
    throw fault;
  });
  const held = macs.flatMap((mac) => {
    const policy = holdings.get(mac) ?? null;
    return policy === null ? [] : [{ macAddress: mac, policy }];
  });
  const uncleared = new Set(touchedEndpoints(trail.uncleared, pool));
  // Somebody else may put the same policy on an endpoint that was cleared. A record that names none is ours until then.
  const isOurs = ({ macAddress, policy }: (typeof held)[number]) =>
    (policies.includes(policy) || policy === '') && uncleared.has(pool.indexOf(macAddress) ?? -1);
  const unseen = macs.filter((mac) => !holdings.has(mac)).slice(0, MOST_LISTED);
  // A target may show something else than the name of the policy.
  const others = held
    .filter((holder) => !isOurs(holder))
    .map(({ macAddress, policy }) => {
      const why = `somebody else may have put "${policyShown(policy)}" there`;
      const residue = endpointResidue(client, macAddress);
      return doubtful({ ...(policies.includes(policy) ? residue : strayEndpoint(client, macAddress, policy)), why });
    });
  const unclear = [...others, ...unseen.map((mac) => endpointResidue(client, mac, 'unknown'))];
  return { endpoints: held.filter(isOurs), unclear };
}

/** Looks for records with such names, of runs at least `olderThanMs` old that a record proves to be of this program. Sends GET only. */
export async function findByPrefix(
  client: ErsClient,
  prefix: string,
  { now, olderThanMs }: { readonly now: Date; readonly olderThanMs: number },
): Promise<SweepFindings> {
  const startOf = ({ name = '' }: Pick<OwnRecord, 'name'>) => runOfName(name)?.start;
  const ageMs = (record: Pick<OwnRecord, 'name'>) => now.getTime() - (startOf(record)?.getTime() ?? Number.NaN);
  // Names of others may begin with the same letters: they name no moment, or one that is yet to come.
  const takes = (name: string) => beginsWith(name, prefix) && (ageMs({ name }) >= 0 || prefix !== NAME_START);
  const { found, unsearched } = await searchByName(client, sweepable(client), (_entry, _family, name) => takes(name));
  const young = found.filter((record) => ageMs(record) < olderThanMs);
  const old = found.filter((record) => ageMs(record) >= olderThanMs);
  const runs = await runsShown(client, old);
  const records = old.filter(({ name = '' }) => runs.has(runOfName(name)?.prefix));
  const others = found.filter((record) => !young.includes(record) && !records.includes(record));
  const why = 'somebody else may have made it: no record of that beginning says that this program made it';
  const kept = young.map((record) => ({
    what: `${record.family} ${record.id} ${record.name}`,
    why: `its run began ${startOf(record)?.toISOString()}: it may still be running`,
  }));
  const unclear = [...unsearched, ...others.map((record) => doubtful(strayRecord(client, record, why)))];
  return { records, endpoints: [], kept, unclear };
}

/** What stands on the target as long as nothing is removed, with the commands that remove it. */
export const residueOf = (client: ErsClient, { records, endpoints, unclear }: SweepFindings): Residue[] => [
  ...records.map((record) => recordResidue(client, record)),
  ...endpoints.map(({ macAddress }) => endpointResidue(client, macAddress)),
  ...unclear,
];

/** Removes what was found and proves it; returns what is left, with the commands that remove it. */
export async function removeFindings(
  client: ErsClient,
  findings: SweepFindings,
  deps: { readonly clock: Clock },
): Promise<Cleanup> {
  for (const record of findings.records) client.adopt(record);
  for (const { macAddress } of findings.endpoints) client.mark('applied', macAddress);
  const { leftAlone = [], ...cleanup } = await removeCreated(client, deps);
  return { ...cleanup, residue: [...cleanup.residue, ...leftAlone.map(doubtful), ...findings.unclear] };
}
