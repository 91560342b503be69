import { expect, it } from 'vitest';
import { runBulk } from '../../../../conformance/kit/bulk.ts';
import type { CheckContext } from '../../../../conformance/kit/check.ts';
import type { Exchange } from '../../../../lib/client/types.ts';

it.each([
  ['IN_PROGRESS', ['sgt']],
  ['COMPLETED', []],
])('a bulk request whose monitor says %s is waited for at the end of the run: %j', async (executionStatus, waited) => {
  const givenUp: string[] = [];
  const answer = (status: number, json: unknown) => ({ status, json, headers: {}, body: '' }) as unknown as Exchange;
  const context = {
    family: { name: 'sgt' },
    ledger: { givesUp: (family: string) => givenUp.push(family) },
    run: { exclusive: (_: string, work: () => unknown) => work(), shared: (_: string, make: () => unknown) => make() },
    eventually: (look: () => unknown) => look(),
    send: async () => answer(200, { BulkStatus: { executionStatus } }),
  } as unknown as CheckContext;
  await runBulk(context, async () => answer(202, { id: '7' }));
  expect(givenUp).toEqual(waited);
});
