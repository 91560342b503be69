import { describe, expect, it } from 'vitest';
import { openStartGate } from '../../../../load/k6/start-gate.ts';

const NEVER = new AbortController().signal;

describe('the gate before the start of a cell', () => {
  it('lets all processes through once each has asked', async () => {
    const gate = await openStartGate(3, NEVER);
    let through = 0;
    const ask = async (index: number) => {
      const { status } = await fetch(gate.urlOf(index));
      through += 1;
      return status;
    };
    // One that asks twice is still one.
    const early = [ask(0), ask(2), ask(0)];
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(through).toBe(0);
    await expect(ask(1)).resolves.toBe(204);
    await gate.opened;
    expect(await Promise.all(early)).toEqual([204, 204, 204]);
  });

  it('is no use to anybody who was not told its address', async () => {
    const gate = await openStartGate(2, NEVER);
    const first = fetch(gate.urlOf(0));
    for (const path of ['/', '/1', '/v1/status', '/v1/stop']) {
      const { status } = await fetch(new URL(path, gate.urlOf(0)), { method: 'PATCH', body: '{}' });
      expect(status).toBe(404);
    }
    await fetch(gate.urlOf(1));
    expect((await first).status).toBe(204);
    await gate.opened;
    // Nobody can come later.
    await expect(fetch(gate.urlOf(1))).rejects.toThrow();
  });

  it('turns away who waits when another has ended', async () => {
    const ended = new AbortController();
    const gate = await openStartGate(2, ended.signal);
    const waiting = fetch(gate.urlOf(0));
    const turnedAway = expect(waiting).rejects.toThrow();
    ended.abort(new Error('k6 has ended'));
    await expect(gate.opened).rejects.toThrow('k6 has ended');
    gate.shut();
    await turnedAway;
  });
});
