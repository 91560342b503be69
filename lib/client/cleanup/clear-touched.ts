import { OPS, PATH_PREFIX } from '../../contract/operations.ts';
import type { RunEnd } from '../../records/run.ts';
import { ancFamilyOf, clearBody, clearEndpoint, holdingOf, holdingTotal, walkHoldings } from '../anc/state.ts';
import type { Persistence } from '../http/retry-with-backoff.ts';
import type { ErsClient } from '../types.ts';
import { curlCommand } from './curl-command.ts';

export type Residue = RunEnd['cleanup']['residue'][number];

/** Endpoints that are read one by one to check the list filter's word, when others hold policies too. */
const WALK_LIMIT = 500;

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

/** Those of the addresses that a walk of the list finds: the filter that said otherwise does not work. */
async function listedAfterAll(client: ErsClient, macs: readonly string[]): Promise<readonly string[]> {
  const total = await holdingTotal(client);
  if (total === null || total === 0 || total > WALK_LIMIT) return [];
  const held = await walkHoldings(client);
  return macs.filter((mac) => held?.has(mac));
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
  return [...leftMacs, ...hidden].map((mac) => endpointResidue(client, mac));
}
