import { OPS, PATH_PREFIX } from '../../contract/operations.ts';
import type { RunEnd } from '../../records/run.ts';
import { ancFamilyOf, clearBody, clearEndpoint, holdingOf, holdingTotal, walkHoldings } from '../anc/state.ts';
import type { Persistence } from '../http/retry-with-backoff.ts';
import type { ErsClient } from '../types.ts';
import { curlCommand } from './curl-command.ts';

export type Residue = RunEnd['cleanup']['residue'][number];

/** Holders of policies that the list may name for it to be walked: what `walkHoldings` reads at most. */
const WALK_LIMIT = 5000;

/** What is left on an endpoint, with the command that clears it. */
export function endpointResidue(client: ErsClient, macAddress: string): Residue {
  const family = ancFamilyOf(client);
  const path = `${PATH_PREFIX}/${family}${OPS.clear.path}`;
  return {
    family,
    id: macAddress,
    command: curlCommand(client, OPS.clear.method, path, clearBody(client, macAddress)),
  };
}

function macOfEndpoint(client: ErsClient, address: string): string {
  const { pool } = client.options;
  const index = pool?.indexOf(address);
  return index === undefined ? address : (pool?.at(index).macAddress ?? address);
}

/**
 * Endpoints that a walk of the list finds with a policy of this run. Some are addresses of the run, where the filter that
 * said otherwise does not work. Others are endpoints of the pool that held nothing before: a policy went there instead of
 * to the endpoint that was named.
 */
async function listedAfterAll(client: ErsClient, macs: readonly string[]): Promise<readonly string[]> {
  const total = await holdingTotal(client);
  if (total === null || total > WALK_LIMIT) return [];
  const { pool, policies } = client.options;
  const isOurs = (policy: string) => policy === '' || policies?.includes(policy) === true;
  const asked = new Set(macs);
  const wasFree = (mac: string) => pool?.wasFree?.(mac) === true;
  const held = await walkHoldings(client, (mac) => asked.has(mac) || wasFree(mac));
  return [...(held ?? [])].flatMap(([mac, policy]) => (asked.has(mac) || isOurs(policy) ? [mac] : []));
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
  let hidden: readonly string[] = [];
  await persist(async () => {
    hidden = await listedAfterAll(client, macs);
    for (const mac of hidden) await clearEndpoint(client, mac);
    return hidden.length === 0;
  });
  return [...new Set([...leftMacs, ...hidden])].map((mac) => endpointResidue(client, mac));
}
