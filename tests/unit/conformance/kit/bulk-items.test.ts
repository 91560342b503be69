import { describe, expect, it } from 'vitest';
import { contradicted, countsOf, idOfBulk, runBulk, submitPlain } from '../../../../conformance/kit/bulk.ts';
import type { CheckContext, SharedScope } from '../../../../conformance/kit/check.ts';
import { Blocked, Inconclusive } from '../../../../conformance/kit/fault.ts';
import { seedRecords } from '../../../../conformance/kit/list/seeded-records.ts';
import { isFreeText } from '../../../../conformance/kit/list/value.ts';
import { createdId } from '../../../../conformance/kit/record/fixture.ts';
import type { Exchange } from '../../../../lib/client/types.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Family } from '../../../../lib/contract/types.ts';

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

it('reads counts as numbers and as their texts', () => {
  const counts = { all: 2, succeeded: 1, failed: undefined };
  for (const status of [
    { resourcesCount: 2, successCount: 1 },
    { resourcesCount: '2', successCount: '1' },
  ])
    expect(countsOf({ json: { BulkStatus: status } })).toEqual(counts);
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
      endsBulk: (family: string, failed?: number) => failed === undefined && givenUp.push(`${family} still runs`),
    },
    run: { exclusive: (_: string, work: () => unknown) => work(), shared: (_: string, make: () => unknown) => make() },
    eventually: (look: () => unknown) => look(),
    send: async () => answer(200, { BulkStatus: { executionStatus } }),
  } as unknown as CheckContext;
  await runBulk(context, async () => answer(202, { id: '7' }));
  expect(givenUp).toEqual(waited);
});

it.each([
  ['unknown operationType create', Inconclusive],
  ['bulk is broken', undefined],
])('a bulk request that is refused for %j, in every word that is known, is judged: %s', async (message, fault) => {
  const answer = { status: 400, json: { message }, headers: {}, body: JSON.stringify({ message }), request: {} };
  const run = { exclusive: (_: string, work: () => unknown) => work() };
  const context = {
    family: { name: 'sgt' },
    run,
    eventually: (look: () => unknown) => look(),
    send: async () => answer,
  };
  const told = await submitPlain(context as unknown as CheckContext).catch((thrown: unknown) => thrown);
  expect(told instanceof Inconclusive ? Inconclusive : undefined).toBe(fault);
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

type Context = Parameters<typeof createdId>[0];

/** What a create is found as that answers without an id, under a name whose former record was removed; `lists`: one after the other. */
async function found(lists: readonly (readonly string[])[]) {
  let asked = 0;
  const send = async () => {
    const resources = (lists[Math.min(asked, lists.length - 1)] ?? []).map((id) => ({ id, name: 'again' }));
    asked += 1;
    return { status: 200, headers: {}, body: '', json: { SearchResult: { total: resources.length, resources } } };
  };
  const eventually = async (look: () => Promise<unknown>) => {
    for (let tries = 0; tries < 3; tries += 1) {
      const value = await look();
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const ledger = { standing: (_: string, id: string) => (id === 'former' ? 'gone' : undefined), adopt: () => true };
  const context = { send, follow: send, table: FAMILIES, ledger, eventually } as unknown as Context;
  const created = { status: 202, headers: {}, json: {}, body: '' } as unknown as Exchange;
  return createdId(context, 'sxpvpns', created, 'again');
}

it('a record made under the name of one that was removed is the new one, also if the list shows the former for a while', async () => {
  expect(await found([['former'], ['former', 'new']])).toEqual({ id: 'new', by: 'list' });
  expect(await found([['former'], ['new']])).toEqual({ id: 'new', by: 'list' });
});

it('the id of a removed record is that of the new one if no other one comes up', async () => {
  expect(await found([['former']])).toEqual({ id: 'former', by: 'list' });
  expect(await found([[]])).toBeUndefined();
});

/** A server that takes addresses alone for `host`, and numbers from 1 to 5. */
async function seeded(): Promise<readonly Record<string, unknown>[]> {
  const made: Record<string, unknown>[] = [];
  const fixture = async (fields: Record<string, unknown>) => {
    const { host = '10.0.0.1', size = 1 } = fields;
    if (!/^[\d.]+$/.test(String(host)) || Number(size) < 1 || Number(size) > 5) throw new Blocked('refused');
    made.push(fields);
    return {};
  };
  await seedRecords({ fixture } as unknown as SharedScope, { name: 'zone', table: { zone: family }, prefix: 'p' });
  return made;
}

const family: Family = {
  ...{ name: 'zone', title: 'Zone', versions: [], ops: ['list', 'create'], sorts: [], roots: {} },
  filters: ['name', 'placeId', 'host', 'size'],
  fields: {
    name: { type: 'string' },
    placeId: { type: 'string', form: 'uuid', refersTo: 'place' },
    mac: { type: 'string', form: 'mac' },
    host: { type: 'string', required: true, samples: ['10.0.0.1', '10.0.0.2'] },
    size: { type: 'integer', limits: [1, 5] },
  },
};

describe('a text of a record', () => {
  it('takes any form unless it is an address or names a record of another family', () =>
    expect(['name', 'placeId', 'mac'].filter((field) => isFreeText(family, field))).toEqual(['name']));

  it('has a published value where a server takes texts of one form, and numbers stay within their limits', async () => {
    const made = await seeded();
    const held = (member: string) => new Set(made.map((fields) => fields[member]));
    expect(made.length).toBeGreaterThan(9);
    expect([...held('host')]).toEqual(expect.arrayContaining(['10.0.0.1', '10.0.0.2']));
    expect(held('size').size).toBeGreaterThan(2);
    expect(held('placeId')).toEqual(new Set([undefined]));
  });
});
