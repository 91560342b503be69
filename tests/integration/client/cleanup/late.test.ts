import { describe, expect, it } from 'vitest';
import { leftFindings } from '../../../../cli/output/finding.ts';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { applyEndpoint } from '../../../../lib/client/anc/state.ts';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import type { Clock } from '../../../../lib/clock.ts';
import { leftAsFound } from '../../../../lib/judge/left-as-found.ts';
import { runPrefix } from '../../../../lib/run-name.ts';
import { aStubClient, aTinyClient, eagerClock } from '../../../helpers/a-client.ts';
import { ancStub } from '../../../helpers/anc-target.ts';
import { json } from '../../../helpers/stub-target.ts';
import type { Answered, TinyLie } from '../../../helpers/tiny-target.ts';

/** A clock whose longest waits are the moments at which a gateway's target does what it was asked for. */
function lateClock(longMs = 10_000) {
  const clock = eagerClock();
  const due: (() => void)[] = [];
  const sleep: typeof clock.sleep = async (ms, signal) => {
    await clock.sleep(ms, signal);
    if (ms > longMs) for (const happens of due.splice(0)) happens();
  };
  return { clock: { ...clock, sleep }, later: (happens: () => void) => void due.push(happens) };
}

/** What is left of a create, and when its clean-up was over, on a target that answers so; it does what is late while the run waits longer than `longMs`. */
async function leftOf(lie: (later: (happens: () => void) => void, clock: Clock) => TinyLie, longMs?: number) {
  const { clock, later } = lateClock(longMs);
  const { target, client } = await aTinyClient({ mode: 'own-data', clock }, lie(later, clock));
  await client.send('sxpvpns', 'list');
  await client.send('sxpvpns', 'create', { fields: { sxpVpnName: 'cfm-a' } });
  const { residue, created, removed } = await removeCreated(client, { clock });
  const ms = clock.monotonicMs();
  await clock.sleep(60_000);
  return { left: [...target.records('sxpvpns'), ...residue], created, removed, ms };
}

describe('a write whose answer leaves it open, and that takes effect when the run is over', () => {
  it.each([201, 202, 302, 500, 502, 503, 504])('is removed where it made a record: %i', async (status) => {
    const found = await leftOf((later) => (asked, standard) => {
      if (asked.method !== 'POST') return undefined;
      later(() => standard(asked));
      return { status };
    });
    expect(found).toMatchObject({ left: [], created: 1, removed: 1 });
  });

  it('is removed where the create was sent again under its name, and taken', async () => {
    const { clock, later } = lateClock();
    let posts = 0;
    const { target, client } = await aTinyClient({ mode: 'own-data', clock }, (asked, standard) => {
      if (asked.method !== 'POST' || ++posts > 1) return undefined;
      later(() => standard(asked));
      return { status: 504 };
    });
    await client.send('sgt', 'list');
    const fields = { name: `${runPrefix(client.options.runId)}a`, description: 'ours', value: 7 };
    for (const _ of [1, 2]) await client.send('sgt', 'create', { fields });
    const { residue, unsettled } = await removeCreated(client, { clock });
    await clock.sleep(60_000);
    expect([target.records('sgt'), residue, unsettled]).toEqual([[], [], undefined]);
  });

  it.each([1, 2])('is told if no look ever found what it made: sent %i times', async (times) => {
    const clock = eagerClock();
    let posts = 0;
    const { client } = await aTinyClient({ mode: 'own-data', clock }, ({ method }) =>
      method === 'POST' && ++posts === 1 ? { status: 504 } : undefined,
    );
    await client.send('sxpvpns', 'list');
    for (let sent = 0; sent < times; sent += 1)
      await client.send('sxpvpns', 'create', { fields: { sxpVpnName: 'cfm-a' } });
    const cleanup = await removeCreated(client, { clock });
    expect(cleanup).toMatchObject({ residue: [], unsettled: 1 });
    expect(leftAsFound({ source: 'end', ...cleanup }).proven).toBe(false);
    expect(leftFindings(cleanup)[0]?.found).toBe('nothing that was found; 1 create got no clear answer');
  });

  it.each([202, 500, 504, 'a connection that breaks', 'the end of the run'])('is cleared after %s', async (end) => {
    const { clock, later } = lateClock();
    const run = new AbortController();
    const anc = ancStub();
    const pool = readPool('02:00:00:00:00:00+10@10.0.0.0');
    const { macAddress } = pool.at(3);
    const options = { mode: 'full', pool, policies: ['Test'], clock, signal: run.signal } as const;
    const { client } = await aStubClient(options, (request, response, raw) => {
      if (!request.url.endsWith('/apply')) return anc.answer(request, response);
      later(() => anc.held.set(macAddress, 'Test'));
      if (typeof end === 'number') json(response, end, {});
      else if (end === 'the end of the run') run.abort(new Error('ended by SIGINT'));
      else raw.socket.destroy();
    });
    await applyEndpoint(client, macAddress, 'Test').catch(() => undefined);
    const { residue } = await removeCreated(client, { clock });
    await clock.sleep(60_000);
    expect([anc.held.size, residue]).toEqual([0, []]);
  });
});

it.each([
  ['202 whose record was found', 202],
  ['500 whose record was found', 500],
  ['400', 400],
])('a create that was answered %s is not waited for', async (_, status) => {
  const { left, ms } = await leftOf(() => (asked, standard) => {
    if (asked.method !== 'POST') return undefined;
    if (status !== 400) standard(asked);
    return { status };
  });
  expect([left, ms < 5000]).toEqual([[], true]);
});

it('a create that was answered 202 is not waited for, if its record was found and removed and its name was refused meanwhile', async () => {
  const { clock } = lateClock();
  const { target, client } = await aTinyClient({ mode: 'own-data', clock }, (asked, standard) => {
    if (asked.method !== 'POST') return undefined;
    if (target.records('sxpvpns').length > 0) return { status: 409 };
    standard(asked);
    return { status: 202 };
  });
  const create = () => client.send('sxpvpns', 'create', { fields: { sxpVpnName: 'cfm-a' } });
  await client.send('sxpvpns', 'list');
  await create();
  const id = String(target.records('sxpvpns')[0]?.['id']);
  client.adopt({ family: 'sxpvpns', id, name: 'cfm-a' });
  await create();
  await client.send('sxpvpns', 'delete', { id });
  const { residue } = await removeCreated(client, { clock });
  expect([target.records('sxpvpns'), residue, clock.monotonicMs() < 5000]).toEqual([[], [], true]);
});

it.each([
  ['a create that was answered with an id which no look shows', 'POST'],
  ['an update that was given up, and makes anew what is gone by then', 'PUT'],
])('%s leaves nothing', async (_, late) => {
  const { clock, later } = lateClock(4000);
  let create = () => {};
  const { target, client } = await aTinyClient({ mode: 'own-data', clock }, (asked, standard) => {
    if (asked.method === 'POST') create = () => void standard(asked);
    if (asked.method !== late) return undefined;
    later(create);
    create = () => {};
    return late === 'PUT' ? { status: 504 } : { status: 201, headers: { location: '/ers/config/sgt/77' } };
  });
  await client.send('sgt', 'list');
  const fields = { name: `${runPrefix(client.options.runId)}a`, description: 'ours', value: 7 };
  await client.send('sgt', 'create', { fields });
  const { id = '' } = client.created()[0] ?? {};
  if (late === 'PUT') await client.send('sgt', 'update', { id, fields });
  const { residue } = await removeCreated(client, { clock });
  await clock.sleep(60_000);
  expect([target.records('sgt'), residue]).toEqual([[], []]);
});

it('a delete that is taken in, and done some seconds later, leaves nothing', async () => {
  let isPending = false;
  const lie =
    (later: (happens: () => void) => void): TinyLie =>
    (asked, standard) => {
      if (asked.method !== 'DELETE') return undefined;
      if (isPending) return { status: 409 };
      isPending = true;
      later(() => standard(asked));
      return { status: 202 };
    };
  expect((await leftOf(lie, 4000)).left).toEqual([]);
});

it('a record that a cache goes on showing for 3 s is not left behind', async () => {
  const kept = new Map<string, { readonly answer: Answered; readonly untilMs: number }>();
  const { left } = await leftOf((_, clock) => (asked, standard) => {
    if (asked.method !== 'GET') return undefined;
    const known = kept.get(asked.path);
    if (known !== undefined && known.untilMs > clock.monotonicMs()) return known.answer;
    const answer = standard(asked);
    kept.set(asked.path, { answer, untilMs: clock.monotonicMs() + 3000 });
    return answer;
  });
  expect(left).toEqual([]);
});
