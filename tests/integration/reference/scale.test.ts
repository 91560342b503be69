import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { ipOf, macOf } from '../../../lib/wire/endpoint.ts';
import { createDeployment } from '../../../reference/deployment.ts';
import { ancBody, serve } from './ask.ts';

it('a reference deployment of 500,000 sessions knows the first, the last and no further session', async () => {
  const served = await serve({ sessions: 500_000, profile: '500k' });
  expect([served.profile, served.sessions]).toEqual(['500k', 500_000]);
  expect(served.endpoints).toBe('02:00:00:00:00:00+500000@10.0.0.0');
  const policy = ['policyName', served.policies[0] ?? ''] as const;
  for (const [index, status] of [
    [0, 204],
    [499_999, 204],
    [500_000, 400],
  ] as const) {
    const reply = await served.ask('PUT', 'ancendpoint/apply', ancBody(['ipAddress', ipOf(index)], policy));
    expect([index, reply.status]).toEqual([index, status]);
  }
  const last = await served.ask('GET', `ancendpoint?filter=name.EQ.${macOf(499_999)}`);
  expect(last.json().SearchResult.total).toBe(1);
  await served.close();
});

describe('a full table of ANC endpoints', () => {
  const deployment = createDeployment({
    table: FAMILIES,
    sessions: 60_000,
    seed: 1,
    csrf: false,
    credentials: { username: 'a', password: 'b' },
    deviations: [],
  });
  const { seams } = deployment;
  const family = 'ancendpoint';

  it('is filled, and keeps the order of creation on any page', async () => {
    for (let index = 0; index < 60_000; index += 1) {
      const mac = macOf(index);
      void seams.store.create(family, { name: mac, macAddress: mac, policyName: 'p' });
    }
    const seeded = seams.store.list(family).length - 60_000;
    const list = seams.store.list(family);
    expect(list.slice(seeded + 45_000, seeded + 45_002).map((record) => record['name'])).toEqual([
      macOf(45_000),
      macOf(45_001),
    ]);
  });

  it('gives way to other work while a filter scans it and a sort orders it', async () => {
    const plan = seams.query.plan(family, [
      ['filter', 'name.ENDSW.F'],
      ['sortdsc', 'name'],
    ]);
    let turns = 0;
    let running = true;
    const ticking = (async () => {
      while (running) {
        await new Promise((resolve) => setImmediate(resolve));
        turns += 1;
      }
    })();
    const found = await seams.query.select(family, plan);
    running = false;
    await ticking;
    expect(found.length).toBeGreaterThanOrEqual(3_750);
    const names = found.slice(0, found.length).map((record) => String(record['name']));
    expect(names).toEqual([...names].sort().reverse());
    expect(turns).toBeGreaterThan(2);
  });

  it('finds one endpoint without a scan', async () => {
    const plan = seams.query.plan(family, [['filter', `name.EQ.${macOf(12_345)}`]]);
    expect(seams.query.shortcut(family, plan)).toHaveLength(1);
  });

  it('keeps its order and its count when records go', async () => {
    const total = seams.store.list(family).length;
    for (let index = 0; index < 30_000; index += 1) {
      const record = seams.store.find(family, 'macAddress', macOf(index));
      if (record !== undefined) await seams.store.remove(family, record.id);
    }
    const list = seams.store.list(family);
    expect(list.length).toBe(total - 30_000);
    expect(list.slice(list.length - 1, list.length)[0]?.['name']).toBe(macOf(59_999));
    expect([...list.pieces()].flat()).toHaveLength(list.length);
  });
});
