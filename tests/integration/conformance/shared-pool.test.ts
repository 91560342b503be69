import { expect, it } from 'vitest';
import { checks } from '../../../conformance/catalog.ts';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { systemClock } from '../../../lib/clock.ts';
import { ancFields } from '../../../lib/wire/anc.ts';
import type { ReferenceServer } from '../../../reference/server.ts';
import { accused } from '../../helpers/conformance-run.ts';
import { runOnReference } from '../../helpers/reference-run.ts';

/** A colleague who puts the policy of the run on endpoints of its pool, one after the other, and takes policies off them again. */
function colleague({ baseUrl, username, password, endpoints, policies: [policyName = ''] }: ReferenceServer) {
  const pool = readPool(endpoints);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const put = (operation: 'apply-by-mac' | 'clear-by-mac', at: number) =>
    fetch(`${baseUrl}/ers/config/ancendpoint/${operation.split('-')[0]}`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ OperationAdditionalData: ancFields(operation, { ...pool.at(at % 14), policyName }) }),
    });
  let isOn = true;
  const work = (async () => {
    for (let at = 0; isOn; at += 1) {
      await put('apply-by-mac', at);
      await put('clear-by-mac', at + 7);
      await systemClock.sleep(2);
    }
  })();
  return {
    async stop() {
      isOn = false;
      await work;
    },
  };
}

it('a target is accused of nothing that a colleague does in the pool of the run, and the reason names the pool', async () => {
  const options = { mode: 'full', seed: 1, visibilityMs: 300, depth: 'quick', families: ['ancendpoint'] } as const;
  const catalog = checks.filter(({ id }) => /^(anc|record)\//.test(id));
  const { results } = await runOnReference({}, options, catalog, colleague);
  expect(accused(results)).toEqual([]);
  const reasons = results.flatMap(({ verdict, reason = '' }) => (verdict === 'inconclusive' ? [reason] : []));
  expect(reasons.join()).toContain('somebody else writes to the pool');
});
