import { ancFamily } from '../../wire/anc.ts';
import type { ClientOptions, Exchange } from '../types.ts';
import { heldPolicyIn } from './targets.ts';

/** The endpoints of a run: those it put a policy on, and those it may have. */
export function openEndpoints({ pool, policies, table }: Pick<ClientOptions, 'pool' | 'policies' | 'table'>) {
  const applied = new Map<string, string>();
  const touched = new Map<string, string>();
  const tally = { taken: 0, returned: 0 };
  // An endpoint applied by its IP address and cleared by its MAC address is one endpoint.
  const keyOf = (address: string) => String(pool?.indexOf(address) ?? address);
  return {
    /** `isTaken`: the target said so; else it may have been stored all the same, and is looked for when cleaning up. */
    apply(address: string, isTaken: boolean) {
      if (isTaken && !applied.has(keyOf(address))) tally.taken += 1;
      applied.set(keyOf(address), address);
      touched.set(keyOf(address), address);
    },
    clear(address: string) {
      if (applied.delete(keyOf(address))) tally.returned += 1;
    },
    /** Takes in a read that shows a policy of the run on an endpoint that no write named and that was free: it may have landed there instead. */
    sees(exchange: Exchange) {
      const { family, op } = exchange.request;
      if (pool?.wasFree === undefined || op !== 'read' || touched.size === 0 || family !== ancFamily(table)) return;
      const held = heldPolicyIn(exchange);
      if (held === undefined || policies?.includes(held.policy) !== true || !pool.wasFree(held.mac)) return;
      // The clean-up goes for it, whichever look showed it.
      if (!touched.has(keyOf(held.mac))) touched.set(keyOf(held.mac), held.mac);
    },
    applied: () => [...applied.values()].reverse(),
    touched: () => [...touched.values()],
    tally: () => tally,
  };
}
