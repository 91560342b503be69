import { describe, expect, it } from 'vitest';
import { aStubClient, eagerClock } from '../../../helpers/a-client.ts';
import { EMPTY_LIST, json } from '../../../helpers/stub-target.ts';

describe('a target that asks to wait', () => {
  it('is asked again after the seconds it named, and no other time', async () => {
    let answers = 0;
    const clock = eagerClock();
    const told: string[] = [];
    const onWait = (status: unknown, ms: number) => told.push(`${status} ${ms}`);
    const { client } = await aStubClient({ onWait, clock }, (_, response) => {
      answers += 1;
      if (answers === 1) return json(response, 503, {}, { 'Retry-After': '2' });
      if (answers === 2) return json(response, 429, {}, { 'Retry-After': '1' });
      json(response, 200, EMPTY_LIST);
    });
    expect((await client.send('sgt', 'list')).status).toBe(200);
    expect(clock.slept).toEqual([2000, 1000]);
    expect(told).toEqual(['503 2000', '429 1000']);
    expect(client.takenLater()).toEqual([{ answer: '503 "{}"', count: 1, request: 'GET sgt' }]);
  });

  it('is not waited for without an end', async () => {
    const { target, client } = await aStubClient({ clock: eagerClock() }, (_, response) =>
      json(response, 503, {}, { 'Retry-After': '1' }),
    );
    expect((await client.send('sgt', 'list')).status).toBe(503);
    expect([target.seen.length, client.takenLater()]).toEqual([4, []]);
  });

  it('gets no more requests a second than the run allows', async () => {
    const clock = eagerClock();
    const { client } = await aStubClient({ target: { requestsPerSecond: 4 }, clock }, (_, response) =>
      json(response, 200, EMPTY_LIST),
    );
    await client.send('sgt', 'list');
    await Promise.all([1, 2].map(() => client.send('sgt', 'list')));
    expect(clock.slept.map((ms) => Math.round(ms / 50) * 50)).toEqual([250, 250]);
  });
});
