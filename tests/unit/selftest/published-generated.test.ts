import { describe, expect, it } from 'vitest';
import { PUBLISHED_GENERATED } from '../../../selftest/published.ts';

describe('the published generated scores', () => {
  it('are figures of whole samples', () => {
    for (const { sample, total, byTrigger } of PUBLISHED_GENERATED) {
      expect(total.of).toBe(sample);
      expect(Object.values(byTrigger).reduce((sum, { of }) => sum + of, 0)).toBe(sample);
    }
  });
});
