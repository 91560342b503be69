import { clearEndpoint, holdingOf, holdingTotal, seenHoldings, WALK_LIMIT } from '../anc/state.ts';
import type { Persistence } from '../http/retry-with-backoff.ts';
import type { ErsClient } from '../types.ts';
import { endpointResidue, type Residue, unknownHolders } from './residue.ts';

function macOfEndpoint(client: ErsClient, address: string): string {
  const { pool } = client.options;
  const index = pool?.indexOf(address);
  return index === undefined ? address : (pool?.at(index).macAddress ?? address);
}

/** What a walk of the list shows beside what the filter said. */
interface ListedAfterAll {
  readonly hidden: readonly string[];
  /** False where the list was walked when the run began, and cannot be any more. */
  readonly isKnown: boolean;
}

/**
 * Endpoints that a walk of the list finds with a policy of this run. Some are addresses of the run, where the filter that
 * said otherwise does not work. Others are endpoints of the pool that held nothing before: a policy went there instead of
 * to the endpoint that was named.
 */
async function listedAfterAll(client: ErsClient, macs: readonly string[]): Promise<ListedAfterAll> {
  const { pool, policies } = client.options;
  const wasFree = (mac: string) => pool?.wasFree?.(mac) === true;
  const wasWalked = macs.some(wasFree);
  const total = await holdingTotal(client);
  if (total === null || total > WALK_LIMIT) return { hidden: [], isKnown: !wasWalked };
  const isOurs = (policy: string) => policy === '' || policies?.includes(policy) === true;
  const asked = new Set(macs);
  const { held, isWhole } = await seenHoldings(client, (mac) => asked.has(mac) || wasFree(mac));
  const hidden = [...held].flatMap(([mac, policy]) => (asked.has(mac) || isOurs(policy) ? [mac] : []));
  return { hidden, isKnown: isWhole || !wasWalked };
}

/** Clears every endpoint this run touched and proves by the list that it holds nothing; returns those that still do. */
export async function clearTouched(client: ErsClient, { persist, inRounds }: Persistence): Promise<Residue[]> {
  const touched = client.touched();
  if (touched.length === 0) return [];
  const holds = new Set(client.applied());
  const left = await inRounds({
    items: touched,
    group: () => '',
    atOnce: client.options.target.connections,
    async work(address) {
      const mac = macOfEndpoint(client, address);
      if (holds.has(address)) await clearEndpoint(client, mac);
      if ((await holdingOf(client, mac)) !== null) {
        holds.add(address);
        return false;
      }
      client.mark('cleared', address);
      return true;
    },
  });
  const leftMacs = new Set(left.map((address) => macOfEndpoint(client, address)));
  const macs = touched.map((address) => macOfEndpoint(client, address)).filter((mac) => !leftMacs.has(mac));
  let listed: ListedAfterAll = { hidden: [], isKnown: true };
  await persist(async () => {
    listed = await listedAfterAll(client, macs);
    for (const mac of listed.hidden) await clearEndpoint(client, mac);
    return listed.hidden.length === 0;
  });
  const residue = [...new Set([...leftMacs, ...listed.hidden])].map((mac) => endpointResidue(client, mac));
  return listed.isKnown ? residue : [...residue, unknownHolders(client)];
}
