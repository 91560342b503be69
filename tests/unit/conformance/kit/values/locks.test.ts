import { describe, expect, it } from 'vitest';
import { openLearned } from '../../../../../conformance/kit/values/learned.ts';
import { valuesOf } from '../../../../../conformance/kit/values/values.ts';
import { FAMILIES } from '../../../../../lib/contract/families.ts';

describe('a body of a run', () => {
  it('sets nothing that may keep its record from being removed', () => {
    const values = valuesOf(openLearned(), FAMILIES, 'sgt', { next: () => undefined, leaveOut: () => undefined });
    expect(values.adaptAll({ isReadOnly: true, propogateToApic: true })).toEqual({
      isReadOnly: false,
      propogateToApic: true,
    });
  });
});
