import { afterEach, describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { systemClock } from '../../../../lib/clock.ts';
import type { LoadContext } from '../../../../load/endpoints/context.ts';
import { poolState } from '../../../../load/endpoints/pool-state.ts';
import { reconcile } from '../../../../load/endpoints/reconcile.ts';
import { setEndpoints } from '../../../../load/endpoints/set-endpoints.ts';
import { planLoad } from '../../../../load/plan/plan.ts';
import type { Deviation } from '../../../../reference/deviation.ts';
import { parseFaults } from '../../../../reference/faults/parse.ts';
import { type ReferenceServer, startReference } from '../../../../reference/server.ts';
import { aClient } from '../../../helpers/a-client.ts';

let server: ReferenceServer | undefined;
afterEach(() => server?.close());

const SIZE = 1500;

/** What the deployment itself knows: within the faults, so that it sees each clear that nobody asked for. */
function aLedger() {
  const removed = new Set<string>();
  const deviation: Deviation = {
    id: 'ledger',
    title: 'a ledger of what the deployment lost',
    install: () => ({
      anc: (inner) => ({
        apply: (targets) => inner.apply(targets),
        clear: async (targets) => {
          await inner.clear(targets);
          for (const { macAddress } of targets) if (macAddress !== undefined) removed.add(macAddress);
        },
      }),
    }),
  };
  return { removed, deviation };
}

describe('a deployment that loses what it acknowledged', () => {
  it('is told the exact number and the endpoints that its own ledger names', async () => {
    const { removed, deviation } = aLedger();
    server = await startReference({ sessions: SIZE, deviations: [deviation, ...parseFaults(['lost=0.5%'])] });
    const { baseUrl, username, password, endpoints, policies } = server;
    const [policy = ''] = policies;
    const pool = readPool(endpoints);
    const plan = planLoad({ profiles: ['60k'], operations: ['apply-by-mac'], durationSeconds: 2 }, { pool, policy });
    const { client } = aClient(baseUrl, {
      ...{ mode: 'full', pool, policies: [policy] },
      target: { credentials: { username, password }, timeoutMs: 30_000, connections: 10 },
    });
    const context: LoadContext = {
      ...{ plan, clock: systemClock, signal: undefined },
      client: client.view({ records: 'faults', ancJournal: 'covered' }),
      state: poolState(pool.size),
    };
    const all = Array.from({ length: SIZE }, (_, index) => index);
    expect(await setEndpoints(context, all, 'policy')).toEqual([]);
    // The grace outlasts the time for which what gets lost is still there.
    const found = await reconcile(context, 20_000, 1500);
    expect(removed.size).toBeGreaterThan(0);
    expect(found).toMatchObject({ acknowledged: SIZE, lost: { count: removed.size } });
    for (const example of found.lost?.examples ?? []) expect(removed.has(example.slice(0, 17))).toBe(true);
  });
});
