import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { timeLimit } from '../../../lib/clock.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a limit of time', () => {
  it('aborts although memory was collected meanwhile, and what follows it too', async () => {
    const limited = timeLimit(30, new AbortController().signal);
    const follower = AbortSignal.any([limited, new AbortController().signal]);
    for (let round = 0; round < 4; round += 1) {
      collectGarbage();
      await sleep(15);
    }
    expect(limited.aborted).toBe(true);
    expect(follower.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('aborts with the signal that comes first, and with its reason', () => {
    const first = new AbortController();
    const limited = timeLimit(60_000, first.signal);
    first.abort(new Error('enough'));
    expect(limited.reason).toEqual(new Error('enough'));
  });
});
