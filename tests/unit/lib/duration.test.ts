import { describe, expect, it } from 'vitest';
import { durationMs, durationText } from '../../../lib/numbers.ts';

describe('a duration', () => {
  it('is a number with a unit, or seconds', () => {
    const texts = ['500ms', '20s', '5m', '1h', '1.5s', '7', '0'];
    expect(texts.map(durationMs)).toEqual([500, 20_000, 300_000, 3_600_000, 1500, 7000, 0]);
    for (const text of ['', 's', '-1s', '1 s', '1d', '1e3', '.5s', 'NaN', '1sm'])
      expect(durationMs(text)).toBeUndefined();
  });

  it('is written in its largest whole unit', () => {
    expect([500, 1000, 90_000, 120_000, 7_200_000].map(durationText)).toEqual(['500ms', '1s', '90s', '2m', '2h']);
  });
});
