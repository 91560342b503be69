import { ancFamily } from '../../wire/anc.ts';
import { isNotFound } from '../../wire/answer.ts';
import type { ClientOptions, Exchange } from '../types.ts';
import { recordInPath } from './record-path.ts';
import { heldPolicyIn } from './targets.ts';

/** The endpoints of a run: those it put a policy on, and those it may have. */
export function openEndpoints({ pool, policies, table }: Pick<ClientOptions, 'pool' | 'policies' | 'table'>) {
  const applied = new Map<string, string>();
  const touched = new Map<string, string>();
  /** Of those in `applied` the ones whose apply the target took. */
  const taken = new Set<string>();
  /** Endpoints that the last look showed with a policy of somebody else, with the id of the record that did. */
  const foreign = new Map<string, { readonly id: string | undefined; readonly policy: string }>();
  const tally = { taken: 0, returned: 0 };
  // An endpoint applied by its IP address and cleared by its MAC address is one endpoint.
  const keyOf = (address: string) => String(pool?.indexOf(address) ?? address);
  // A target may show the name of a policy in other case, or with blanks.
  const isOfRun = (policy: string) => policies?.some((own) => own.toLowerCase() === policy.trim().toLowerCase());
  return {
    /** `isTaken`: the target said so; else it may have been stored all the same, and is looked for when cleaning up. */
    apply(address: string, isTaken: boolean) {
      if (isTaken && !applied.has(keyOf(address))) tally.taken += 1;
      applied.set(keyOf(address), address);
      if (isTaken) taken.add(keyOf(address));
      touched.set(keyOf(address), address);
    },
    clear(address: string) {
      if (applied.delete(keyOf(address))) tally.returned += 1;
      taken.delete(keyOf(address));
    },
    /**
     * Takes in a read of an endpoint. One that was free and shows a policy of the run is touched, whether or not a write named it: the policy may
     * have landed there instead. One with a policy of somebody else is theirs until a look shows it free of that.
     */
    sees(exchange: Exchange) {
      const { family, op, path } = exchange.request;
      if (pool?.wasFree === undefined || op !== 'read' || family !== ancFamily(table)) return;
      const id = recordInPath(path)?.id;
      const held = heldPolicyIn(exchange);
      if (held === undefined) {
        if (isNotFound(exchange)) for (const [key, one] of foreign) if (one.id === id) foreign.delete(key);
        return;
      }
      const { mac, policy } = held;
      if (!pool.wasFree(mac)) return;
      if (policy === '' || isOfRun(policy)) foreign.delete(keyOf(mac));
      else foreign.set(keyOf(mac), { id, policy });
      // The clean-up goes for it, whichever look showed it.
      if (policies?.includes(policy) && touched.size > 0 && !touched.has(keyOf(mac))) touched.set(keyOf(mac), mac);
    },
    /** The policy of somebody else that the last look showed on an endpoint. */
    foreignOn: (address: string): string | undefined => foreign.get(keyOf(address))?.policy,
    applied: () => [...applied.values()].reverse(),
    /** What its last answered write says that an endpoint holds; `unknown` of one without. */
    lastSaid: (address: string): 'policy' | 'nothing' | 'unknown' =>
      taken.has(keyOf(address)) ? 'policy' : applied.has(keyOf(address)) ? 'unknown' : 'nothing',
    touched: () => [...touched.values()],
    tally: () => tally,
  };
}
