import { describe, expect, it } from 'vitest';
import { walkSizes } from '../../../../conformance/checks/list/paging/paging.ts';

describe('sizes that a list is walked at', () => {
  it('are one, a small one, half of the length, one less than it, and the length itself', () => {
    expect(walkSizes(12, 100)).toEqual([1, 6, 7, 11, 12]);
  });

  it('never exceed what the target is known to take', () => {
    expect(walkSizes(128, 100)).toEqual([7, 64]);
    expect(walkSizes(400, 20)).toEqual([20]);
  });

  it('are at least one, however long the list', () => {
    expect(walkSizes(5000, 100)).toEqual([100]);
  });
});
