import { describe, expect, it } from 'vitest';
import { wilson } from '../../../lib/stats/wilson.ts';
import { generatedQuality, heldOutQuality, PUBLISHED_GENERATED } from '../../../selftest/generated/published.ts';

const rate = (killed: number, of: number) => ({ killed, of, low: 0, high: 1 });
const row = (label: string, seed: number, always: number, second: number) => ({
  space: 'generated' as const,
  label,
  seed,
  sample: 20,
  total: rate(always + second, 20),
  byTrigger: { always: rate(always, 10), second: rate(second, 6), nth: rate(1, 4) },
});

describe('the published generated scores', () => {
  it('count the seeds of the newest suite together, and none of an older one', () => {
    const quality = generatedQuality([row('old', 1, 1, 1), row('new', 2, 10, 4), row('new', 3, 9, 5)]);
    expect(quality).toMatchObject({ label: 'new', seeds: [2, 3] });
    expect(quality?.always).toMatchObject({ killed: 19, of: 20, low: wilson(19, 20).low });
    expect(quality?.others).toMatchObject({ killed: 11, of: 20 });
    expect(generatedQuality([])).toBeUndefined();
  });

  it('keep held-out defects apart, and count of them what was found for the right requirement', () => {
    const heldOut = { ...row('first', 4, 9, 5), space: 'held-out' as const, bound: rate(6, 20) };
    const scores = [row('new', 3, 9, 5), heldOut];
    expect(generatedQuality(scores)?.label).toBe('new');
    expect(heldOutQuality(scores)).toMatchObject({ label: 'first', seeds: [4], found: { killed: 6, of: 20 } });
    expect(heldOutQuality([row('new', 3, 9, 5)])).toBeUndefined();
  });

  it('are figures of whole samples', () => {
    for (const { sample, total, byTrigger } of PUBLISHED_GENERATED) {
      expect(total.of).toBe(sample);
      expect(Object.values(byTrigger).reduce((sum, { of }) => sum + of, 0)).toBe(sample);
    }
  });
});
