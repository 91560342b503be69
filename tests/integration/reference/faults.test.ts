import { describe, expect, it } from 'vitest';
import { macOf } from '../../../lib/wire/endpoint.ts';
import { ancBody, type Reply, type Served, serveOne } from './ask.ts';

const apply = (served: Served, index: number): Promise<Reply> =>
  served.ask(
    'PUT',
    'ancendpoint/apply',
    ancBody(['macAddress', macOf(index)], ['policyName', served.policies[0] ?? '']),
  );

async function took(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

describe('a reference deployment with a fault', () => {
  it.each([
    // Three at once; the fifth waits for two tokens of 50 ms each.
    ['a bucket lets as many go at once as it holds, and then as many as are refilled', 'bucket=20/s,3', 5, 99],
    ['a collapse counts from the beginning of a load', 'collapse=10/s@0s', 3, 199],
    ['rate lets ANC requests through one token at a time', 'rate=50/s', 11, 199],
  ])('%s (%s)', async (_what, fault, requests, leastMs) => {
    const served = await serveOne({ faults: [fault] });
    const all = () => Promise.all(Array.from({ length: requests }, (_, index) => apply(served, index + 1)));
    expect(await took(all)).toBeGreaterThanOrEqual(leastMs);
  });

  it('latency narrowed to ANC leaves lists alone', async () => {
    const served = await serveOne({ faults: ['latency=1000ms', 'only=anc'] });
    expect(await took(() => served.ask('GET', 'sgt'))).toBeLessThan(900);
    expect(await took(() => apply(served, 1))).toBeGreaterThanOrEqual(999);
  });

  it('a stall lets the ANC requests of its window go at its end, and no others wait', async () => {
    const served = await serveOne({ faults: ['stall=300ms@0s'] });
    const start = performance.now();
    const held = Promise.all([apply(served, 1), apply(served, 2)]);
    expect(await took(() => served.ask('GET', 'sgt'))).toBeLessThan(290);
    const replies = await held;
    expect(performance.now() - start).toBeGreaterThanOrEqual(299);
    expect(replies.map(({ status }) => status)).toEqual([204, 204]);
  });

  it('a repeated stall strikes after its time has passed once', async () => {
    const served = await serveOne({ faults: ['stall=200ms/1ms'] });
    expect((await apply(served, 1)).status).toBe(204);
    // The second may come before that time, and a later one when a part of the stall is over.
    await expect.poll(() => took(() => apply(served, 2)), { interval: 1, timeout: 5000 }).toBeGreaterThanOrEqual(150);
  });

  it('loses what it had stored', async () => {
    const served = await serveOne({ faults: ['lost=100%'] });
    const total = async () => (await served.ask('GET', 'ancendpoint?size=1')).json().SearchResult.total;
    const before = await total();
    expect((await apply(served, 1)).status).toBe(204);
    expect(await total()).toBe(before + 1);
    await expect.poll(total, { timeout: 5000 }).toBe(before);
  });

  it('error answers 500 with an envelope and does not do the work', async () => {
    const served = await serveOne({ faults: ['error=100%'] });
    const reply = await apply(served, 1);
    expect([reply.status, reply.json().ERSResponse.messages[0].type]).toEqual([500, 'ERROR']);
  });

  it.each([503, 429])('status answers %i with Retry-After in whole seconds, spelled so', async (status) => {
    const served = await serveOne({ faults: [`status=${status}:100%`] });
    const reply = await served.ask('GET', 'sgt');
    expect(reply.status).toBe(status);
    expect(reply.rawHeaders).toContain('Retry-After');
    expect(reply.headers['retry-after']).toMatch(/^\d+$/);
  });

  it('reset closes the connection without an answer, and the deployment lives on', async () => {
    const served = await serveOne({ faults: ['reset=100%', 'only=anc'] });
    await expect(apply(served, 1)).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) });
    expect((await served.ask('GET', 'sgt')).status).toBe(200);
  });

  it('no-store with a share loses that share, and late-store takes effect at the end of its window', async () => {
    const total = async (served: Awaited<ReturnType<typeof serveOne>>) =>
      (await served.ask('GET', 'ancendpoint')).json().SearchResult.total;
    const lossy = await serveOne({ faults: ['no-store=50%'] });
    const held = await total(lossy);
    for (let index = 1; index <= 40; index += 1) expect((await apply(lossy, index)).status).toBe(204);
    expect(await total(lossy)).toBeGreaterThan(held);
    expect(await total(lossy)).toBeLessThan(held + 40);
    const late = await serveOne({ faults: ['late-store=1s@0s'] });
    expect((await apply(late, 1)).status).toBe(204);
    expect(await total(late)).toBe(held);
    await expect.poll(() => total(late), { timeout: 5000 }).toBe(held + 1);
  });
});
