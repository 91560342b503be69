import { describe, expect, it } from 'vitest';
import { firstShown } from '../../../../lib/client/safety/sent.ts';

describe('ids that answers showed', () => {
  it('are before a moment where they were shown first before it, each family for itself', () => {
    const seen = firstShown();
    seen.see('sgt', 'a', 1);
    seen.see('sgt', 'a', 5);
    seen.see('node', 'b', 1);
    expect(['a', 'b'].map((id) => seen.isBefore('sgt', id, 2))).toEqual([true, false]);
    expect(seen.isBefore('sgt', 'a', 1)).toBe(false);
    expect(seen.isBefore('portal', 'a', 2)).toBe(false);
  });

  it.each([
    ['9925B2CC-9760-40b0-96e8-28192744d788', 'urn:uuid:9925b2cc-9760-40b0-96e8-28192744d788'],
    ['{9925b2cc-9760-40b0-96e8-28192744d788}', '9925b2cc976040b096e828192744d788'],
    ['7', '007'],
    ['7', '\uff17'],
  ])('count as one in every form that a target may take for one: %s, %s', (id, other) => {
    const seen = firstShown();
    seen.see('sgt', id, 1);
    expect(['-', '--', other].map((each) => seen.isBefore('sgt', each, 2))).toEqual([false, false, true]);
  });

  it('are not known to be new once there were too many to remember', () => {
    const seen = firstShown(2);
    for (const id of ['a', 'b', 'c']) seen.see('sgt', id, 1);
    expect(['a', 'b', 'c', 'd'].map((id) => seen.isBefore('sgt', id, 2))).toEqual([true, true, undefined, undefined]);
    expect(seen.isBefore('node', 'c', 2)).toBeUndefined();
    expect(['A', 'D'].map((id) => seen.isBefore('sgt', id, 2))).toEqual([true, undefined]);
  });
});
