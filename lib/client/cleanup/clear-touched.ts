import pLimit from 'p-limit';
import type { Clock } from '../../clock.ts';
import { UsageError } from '../../errors.ts';
import { isSuccess } from '../../wire/answer.ts';
import { MAC } from '../../wire/endpoint.ts';
import { holdingsOf, inParts } from '../anc/look.ts';
import { othersInPool, sharedPool, strayed } from '../anc/shared-pool.ts';
import { clearEndpoint, type Holding, readAnc } from '../anc/state.ts';
import type { InRounds } from '../http/retries.ts';
import { lookedNow } from '../safety/proof.ts';
import { normalAddress } from '../safety/targets.ts';
import type { ErsClient } from '../types.ts';
import { doubtful, endpointResidue, type Residue, strayEndpoint, unknownHolders } from './residue.ts';

/** Passes over an endpoint that the client does not clear, because a look showed it with a policy of somebody else. */
function isNotOurs(fault: unknown): undefined {
  if (!(fault instanceof UsageError)) throw fault;
  return undefined;
}

/** How long a policy may take to show, while the pool is watched for others. */
const SETTLE_MS = 1000;

/**
 * Clears what this run put on endpoints: those that it touched, and, unless somebody else is seen to use the pool, those of it that
 * were free and hold its policy now, which went there instead of to the endpoint that was named. A look just before each
 * clear has to show a policy of the run, or a record without a policy whose own was not cleared yet; one that it
 * does not show is cleared once, if the target took the apply. Returns
 * those that no look shows to be free of it; what one look saw counts even if the next sees nothing.
 */
export async function clearTouched(client: ErsClient, inRounds: InRounds, clock: Clock): Promise<Residue[]> {
  const { pool, policies, target } = client.options;
  const touched = () =>
    client.touched().map((address) => {
      const index = pool?.indexOf(address);
      return normalAddress(index === undefined ? address : (pool?.at(index).macAddress ?? address));
    });
  if (touched().length === 0) return [];
  const wasFree = (mac: string) => pool?.wasFree?.(mac) === true;
  const open = new Set(touched());
  const ids = new Map<string, string>();
  /** What the last look that saw one showed, until an answer says that it was cleared. */
  const shown = new Set<string>();
  let isWhole = false;
  /** In an endpoint that the run cleared, a record that names no policy may be of somebody else, and any where others are seen. */
  const isOurs = (policy: Holding, mac: string) => {
    if (policy === null) return false;
    const isNameless = policy === '';
    if ((isNameless || sharedPool(client) !== undefined) && client.lastSaid(mac) === 'nothing') return false;
    return isNameless || (policies?.includes(policy) === true && client.foreignOn(mac) === undefined);
  };
  /** Nobody knows whose it is: it has no name, one that holds a name of the run, or another although ours was not cleared. */
  const isDoubtful = (policy: string, mac: string) =>
    policy === '' || client.lastSaid(mac) !== 'nothing' || policies?.some((each) => policy.includes(each)) === true;
  const strange = new Map<string, string>();
  /** Those that were cleared by what was answered alone: the target took an apply, and no list shows it. */
  const unseen = new Set<string>();
  const isLate = (policy: Holding, mac: string) =>
    policy === null && client.lastSaid(mac) === 'policy' && !unseen.has(mac);
  /** A list may leave out what a look has shown before: the record itself is read. */
  const stillHeld = async (mac: string): Promise<Holding> => {
    const id = ids.get(mac);
    if (id === undefined) return null;
    // A record that cannot be read is there.
    const record = await readAnc(client, id).catch(() => ({ mac, policy: '' }));
    return record === null || (record.mac !== mac && MAC.test(record.mac)) ? null : record.policy;
  };
  const look = async () => {
    for (const mac of touched()) open.add(mac);
    const seen = await holdingsOf(client, [...open], { among: wasFree });
    isWhole = seen.isWhole;
    const astray = strayed(client).filter((mac) => seen.holdings.get(mac) != null);
    const isAlone = async () => (await othersInPool(client, { clock, settleMs: SETTLE_MS })) === undefined;
    if (astray.length > 0 && (await isAlone())) for (const mac of astray) client.mark('applied', mac);
    const ours: string[] = [];
    for (const [mac, listed] of seen.holdings) {
      const held = listed ?? (await stillHeld(mac));
      // Somebody else may have put another policy on it since: that one stays.
      if (isOurs(held, mac)) {
        ours.push(mac);
        open.add(mac);
        shown.add(mac);
      } else if (isLate(held, mac)) {
        ours.push(mac);
        unseen.add(mac);
      } else if (held !== null && isDoubtful(held, mac)) {
        strange.set(mac, held);
        if (held === '') open.add(mac);
        else shown.delete(mac);
      } else if (open.delete(mac)) client.mark('cleared', mac);
    }
    for (const [mac, { id }] of seen.records) ids.set(mac, id);
    return ours;
  };
  const clear = async () => {
    const ours = await look();
    const isProven = lookedNow(clock);
    await inParts(ours, async (part) => {
      const isOld = !isProven();
      const { holdings } = isOld ? await holdingsOf(client, part, { among: () => false }) : { holdings: undefined };
      const isSeen = isOld ? lookedNow(clock) : isProven;
      const still = ([mac, held]: readonly [string, Holding | undefined]) => held == null || isOurs(held, mac);
      const left = part.map((mac) => [mac, holdings?.get(mac)] as const).filter(still);
      const late: string[] = [];
      await pLimit(target.connections).map(left, async ([mac]) => {
        if (!isSeen()) return void late.push(mac);
        const answer = await clearEndpoint(client, mac).catch(isNotOurs);
        if (answer !== undefined && isSuccess(answer)) shown.delete(mac);
      });
      return late;
    });
    if (ours.length > 0) await look();
    return open.size === 0;
  };
  await inRounds({ items: [{ family: '' }], work: clear });
  const residue = [...open].map((mac): Residue => {
    const other = shown.has(mac) ? undefined : strange.get(mac);
    if (other !== undefined) return doubtful(strayEndpoint(client, mac, other));
    return endpointResidue(client, mac, shown.has(mac) ? 'policy' : client.lastSaid(mac));
  });
  // Where the pool was never walked, a policy on another of its endpoints was not to be seen before either.
  return isWhole || !touched().some(wasFree) ? residue : [...residue, unknownHolders(client)];
}
