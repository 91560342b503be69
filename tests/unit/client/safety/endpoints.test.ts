import { describe, expect, it } from 'vitest';
import { freePool } from '../../../../lib/client/anc/free-pool.ts';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { openEndpoints } from '../../../../lib/client/safety/endpoints.ts';
import { refuseWrite } from '../../../../lib/client/safety/guard.ts';
import type { ErsClient, Exchange } from '../../../../lib/client/types.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

const MAC = '02:00:00:00:00:01';

function answer(status: number, policyName?: string): Exchange {
  const json = policyName === undefined ? {} : { ErsAncEndpoint: { id: 'e1', macAddress: MAC, policyName } };
  const request = { family: 'ancendpoint', op: 'read', method: 'GET', path: '/ers/config/ancendpoint/e1', headers: {} };
  return { id: 'x1', request, status, headers: {}, body: '', json, durationMs: 1 } as Exchange;
}

/** A pool whose endpoints were seen to be free. */
async function settled() {
  const pool = freePool(readPool('02:00:00:00:00:00+4'));
  const send = async () => ({ ...answer(200), json: { SearchResult: { total: 0, resources: [] } } });
  await pool.settle({ send, options: { table: FAMILIES, target: { connections: 1 } } } as unknown as ErsClient, false);
  return pool;
}

describe('an endpoint that a look shows with a policy that the run does not name', () => {
  const guarded = (endpoints: ReturnType<typeof openEndpoints>, kind: 'apply' | 'clear') =>
    refuseWrite(
      { kind, family: 'ancendpoint', endpoints: [MAC], policies: [] },
      { mode: 'full', owns: () => false, pool: readPool('02:00:00:00:00:00+4'), policies: ['Ours'], ...endpoints },
    )?.message;

  it('is neither applied nor cleared until a look shows it free of that', async () => {
    const endpoints = openEndpoints({ pool: await settled(), policies: ['Ours'], table: FAMILIES }, () => 0);
    endpoints.apply(MAC, true);
    expect(guarded(endpoints, 'clear')).toBeUndefined();
    endpoints.sees(answer(200, 'Theirs'));
    expect(guarded(endpoints, 'clear')).toMatch(/clear on 02:.*:01, which was shown with the policy "Theirs"$/);
    expect(guarded(endpoints, 'apply')).toMatch(/"Theirs"$/);
    endpoints.sees(answer(404));
    expect(guarded(endpoints, 'apply')).toBeUndefined();
    endpoints.sees(answer(200, 'Theirs'));
    endpoints.sees(answer(200, 'OURS '));
    expect(guarded(endpoints, 'clear')).toBeUndefined();
  });

  it('is cleared if it held that before the run, and the operator lets it be taken over', () => {
    const pool = freePool(readPool('02:00:00:00:00:00+4'));
    const endpoints = openEndpoints({ pool, policies: ['Ours'], table: FAMILIES }, () => 0);
    endpoints.sees(answer(200, 'Theirs'));
    expect(guarded(endpoints, 'clear')).toBeUndefined();
  });
});
