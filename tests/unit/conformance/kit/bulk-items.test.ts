import { expect, it } from 'vitest';
import { contradicted, idOfBulk, runBulk } from '../../../../conformance/kit/bulk.ts';
import type { CheckContext } from '../../../../conformance/kit/check.ts';
import type { Exchange } from '../../../../lib/client/types.ts';

const BOTH = ['a', 'b'].map((id) => ({ id, isDone: true }));
const GONE = ['a', 'b'].map((id) => ({ id, isDone: id === 'a' }));
const HALF = ['a', undefined].map((id) => ({ id, isDone: id === 'a' }));

const wrongIn = (status: object, items: Parameters<typeof contradicted>[1]) =>
  contradicted({ json: { BulkStatus: status } }, items).wrong;

it.each([
  ['done', 'FAIL', BOTH, ['successCount 0', 'failCount 2', 'failure of a', 'failure of b']],
  ['not done', 'SUCCESS', GONE, ['successCount 2', 'failCount 0', 'success of b']],
])('tells of a monitor that says of items that are %s: %s', (_, status, items, wrong) => {
  const [successCount, failCount] = status === 'FAIL' ? [0, 2] : [2, 0];
  const resourcesStatus = ['a', 'b'].map((id) => ({ id, status }));
  expect(wrongIn({ resourcesCount: 2, successCount, failCount, resourcesStatus }, items)).toEqual(wrong);
});

it('takes what agrees, counts of items that the target does not know of, other words and no words', () => {
  const resourcesStatus = [
    { id: 'a', status: 'SUCCESS' },
    { id: '', status: 'FAIL' },
  ];
  expect(wrongIn({ resourcesCount: 2, successCount: 1, failCount: 1, resourcesStatus }, HALF)).toEqual([]);
  expect(wrongIn({ resourcesCount: 0, successCount: 0, failCount: 0, resourcesStatus: [] }, BOTH)).toEqual([]);
  expect(wrongIn({ resourcesStatus: [{ id: 'a', status: 'PENDING' }] }, BOTH)).toEqual([]);
  expect(contradicted({ json: { state: 'ended' } }, BOTH)).toEqual({ told: 0, wrong: [] });
});

it.each([
  ['IN_PROGRESS', ['sgt', 'sgt still runs']],
  ['COMPLETED', []],
])('a bulk request whose monitor says %s is waited for at the end of the run: %j', async (executionStatus, waited) => {
  const givenUp: string[] = [];
  const answer = (status: number, json: unknown) => ({ status, json, headers: {}, body: '' }) as unknown as Exchange;
  const context = {
    family: { name: 'sgt' },
    ledger: {
      givesUp: (family: string) => givenUp.push(family),
      leavesRunning: (family: string) => givenUp.push(`${family} still runs`),
    },
    run: { exclusive: (_: string, work: () => unknown) => work(), shared: (_: string, make: () => unknown) => make() },
    eventually: (look: () => unknown) => look(),
    send: async () => answer(200, { BulkStatus: { executionStatus } }),
  } as unknown as CheckContext;
  await runBulk(context, async () => answer(202, { id: '7' }));
  expect(givenUp).toEqual(waited);
});

const UUID = 'd2d37bd8-1ec7-4c7a-b33a-8947ff20b8e3';
it.each<[unknown, Record<string, string>, string | undefined]>([
  [{ saga: UUID, phase: 'STARTED', done: 0 }, {}, UUID],
  [{ task: UUID.replaceAll('-', ''), state: 'PENDING' }, {}, UUID.replaceAll('-', '')],
  [{ data: { job: { jobId: '17', type: 'BULK' } }, requestId: UUID }, {}, '17'],
  [{ requestId: UUID }, {}, UUID],
  [undefined, { 'operation-location': 'https://a.example/ers/config/sgt/bulk/17' }, '17'],
  [{ next: '/ers/config/sgt/bulk/submit' }, {}, undefined],
  [{ jobId: '17', ownerId: '18' }, {}, undefined],
])('the id of a bulk request is the only one that its answer gives: %j %j', (json, headers, id) => {
  const body = json === undefined ? '' : JSON.stringify(json);
  expect(idOfBulk({ json, headers, body } as unknown as Exchange)).toBe(id);
});
