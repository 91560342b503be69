import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../reference/http/wire.ts';
import type { Kit, Seams, Wraps } from '../../../reference/seams.ts';
import { slowRefusals } from '../../../reference/server.ts';

/** A front that answers with one status, behind the slowness, and how long it waited for each answer. */
function front(status: () => number) {
  let now = 0;
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
  };
  const { front: wrap } = slowRefusals(() => now).install({ wait } as unknown as Kit) as Wraps;
  const inner = { handle: () => ({ status: status() }) as Answer };
  const { handle } = wrap?.(inner) ?? inner;
  return {
    waits,
    pass: (ms: number) => (now += ms),
    ask: () => handle?.({} as Parameters<Seams['front']['handle']>[0]),
  };
}

describe('wrong logins', () => {
  it('are answered at once five times, then one after the other, and at once again after a while', async () => {
    const { waits, ask, pass } = front(() => 401);
    for (let asked = 0; asked < 8; asked += 1) await ask();
    expect(waits).toEqual([500, 1000, 1500]);
    pass(10_000);
    await ask();
    expect(waits.length).toBe(3);
  });

  it('wait no longer than half a minute, and keep no right login waiting', async () => {
    let status = 401;
    const { waits, ask } = front(() => status);
    for (let asked = 0; asked < 100; asked += 1) await ask();
    expect(Math.max(...waits)).toBe(30_000);
    status = 200;
    const before = waits.length;
    await ask();
    expect(waits.length).toBe(before);
  });
});
