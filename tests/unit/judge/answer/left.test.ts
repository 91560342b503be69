import { describe, expect, it } from 'vitest';
import { leftOf } from '../../../../lib/records/run.ts';

describe('what is left on a target', () => {
  it('counts as many records as an entry stands for', () => {
    const one = { family: 'ancendpoint', id: '02:00:00:00:00:01', command: 'curl' };
    expect(leftOf([])).toBe(0);
    expect(leftOf([one, { ...one, id: '31392 more endpoints', number: 31_392 }])).toBe(31_393);
  });
});
