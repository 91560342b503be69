import { expect, it } from 'vitest';
import { loadPool, poolIn } from '../../../cli/options/needs.ts';

const endpoints = '02:00:00:00:00:00+10@10.0.0.0';

it('policies that are named are one for a load, and as many as wanted for the checks', () => {
  const options = { endpoints, policies: ['One', 'Two'] };
  expect(() => loadPool(options)).toThrow('a load applies one policy, and --policy names 2');
  expect(loadPool({ endpoints, policies: ['One'] }).policy).toBe('One');
  expect(poolIn('full', options)?.policies).toEqual(['One', 'Two']);
});
