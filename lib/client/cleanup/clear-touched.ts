import pLimit from 'p-limit';
import { UsageError } from '../../errors.ts';
import { MAC } from '../../wire/address.ts';
import { isSuccess } from '../../wire/answer.ts';
import { holdingsOf } from '../anc/look.ts';
import { clearEndpoint, type Holding, readAnc } from '../anc/state.ts';
import type { InRounds } from '../http/retries.ts';
import { normalAddress } from '../safety/targets.ts';
import type { ErsClient } from '../types.ts';
import { doubtful, endpointResidue, type Residue, strayEndpoint, unknownHolders } from './residue.ts';

/** Passes over an endpoint that the client does not clear, because a look showed it with a policy of somebody else. */
function isNotOurs(fault: unknown): undefined {
  if (!(fault instanceof UsageError)) throw fault;
  return undefined;
}

/**
 * Clears what this run put on endpoints: those that it touched, and those of the pool that were free and
 * hold its policy now, which went there instead of to the endpoint that was named. A look just before each
 * clear has to show a policy of the run, or a record without a policy whose own was not cleared yet; one that it
 * does not show is cleared once, if the target took the apply. Returns
 * those that no look shows to be free of it; what one look saw counts even if the next sees nothing.
 */
export async function clearTouched(client: ErsClient, inRounds: InRounds): Promise<Residue[]> {
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
  /** A record that names no policy is of the run unless its own was cleared: somebody else may have put one there since. */
  const isOurs = (policy: Holding, mac: string) =>
    policy === ''
      ? client.lastSaid(mac) !== 'nothing'
      : policy !== null && policies?.includes(policy) === true && client.foreignOn(mac) === undefined;
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
      } else if (open.delete(mac)) client.mark('cleared', mac);
    }
    for (const [mac, { id }] of seen.records) ids.set(mac, id);
    return ours;
  };
  const clear = async () => {
    const ours = await look();
    await pLimit(target.connections).map(ours, async (mac) => {
      const answer = await clearEndpoint(client, mac).catch(isNotOurs);
      if (answer !== undefined && isSuccess(answer)) shown.delete(mac);
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
