import { describe, expect, it } from 'vitest';
import { k6Rate, periodNs } from '../../../lib/wire/scenario.ts';

describe('what a scenario and its reader agree on', () => {
  it('takes 4 ms between arrivals at the published rate and cuts the fraction where there is one', () => {
    expect([periodNs(250), periodNs(300), periodNs(1000)]).toEqual([4_000_000, 3_333_333, 1_000_000]);
  });

  it('tells k6 a rate of tenths in a longer unit of time', () => {
    expect([k6Rate(250), k6Rate(62.5)]).toEqual([
      { rate: 250, timeUnit: '1s' },
      { rate: 625, timeUnit: '10s' },
    ]);
    expect([periodNs(62.5), periodNs(33.3), periodNs(12.8)]).toEqual([16_000_000, 30_030_030, 78_125_000]);
  });
});
