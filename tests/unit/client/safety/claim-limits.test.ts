import { describe, expect, it } from 'vitest';
import { claimLimits } from '../../../../lib/client/safety/claim-limits.ts';

const taken = (limits: ReturnType<typeof claimLimits>, names: readonly (string | undefined)[]) =>
  names.map((name) => limits.take('sgt', name));

describe('records that are taken for those of a run', () => {
  it('are two of each name at most for each time that it was sent', () => {
    const limits = claimLimits();
    for (const names of [['a'], ['b'], ['c']]) limits.sends('sgt', names);
    expect(taken(limits, ['a', 'a', 'a', 'b'])).toEqual([true, true, false, true]);
    limits.sends('sgt', ['a']);
    expect(taken(limits, ['a', 'a', 'a'])).toEqual([true, true, false]);
  });

  it('are two at most for each record of the family that was sent, whatever they are called', () => {
    const limits = claimLimits();
    limits.sends('sgt', []);
    limits.sends('sgt', ['a']);
    expect(taken(limits, [undefined, undefined, undefined, undefined, 'a'])).toEqual([true, true, true, true, false]);
  });

  it('are none in a family that nothing was sent to', () => {
    const limits = claimLimits();
    limits.sends('node', ['a']);
    expect(taken(limits, ['a', undefined])).toEqual([false, false]);
  });
});
