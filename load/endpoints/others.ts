import { othersInPool } from '../../lib/client/anc/shared-pool.ts';
import type { LoadContext } from './context.ts';

/** How soon a write of the load shows, at most, while the pool is watched: what it put somewhere, it put there before. */
const SETTLE_MS = 2000;

/** Tells how somebody else is seen to write to the pool of a load, by watching endpoints that are as the load left them. */
export const othersInPoolOf = ({ client, clock, signal, state, plan }: LoadContext): Promise<string | undefined> =>
  othersInPool(client, {
    ...{ clock, signal, settleMs: SETTLE_MS },
    // One that was cleared by an answer, and stays free for a while, gets no policy from the load any more.
    isNamed: (mac) => {
      const index = plan.pool.indexOf(mac);
      return index !== undefined && state.wasTouched(index) && state.get(index) !== 'nothing';
    },
  });
