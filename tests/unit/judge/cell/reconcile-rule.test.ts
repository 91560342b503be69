import { describe, expect, it } from 'vitest';
import { judgeCell } from '../../../../lib/judge/cell/judge-cell.ts';
import { aCell } from '../../../helpers/a-cell.ts';

const none = { count: 0, examples: [] };
const walked = {
  ...{ acknowledged: 1250, listed: 1250, pages: 13, requests: 13, seconds: 0.4 },
  ...{ lost: none, unacknowledged: none, foreign: none, indeterminate: none, wrongPolicy: { ...none, checked: 30 } },
};
type ReadBack = NonNullable<NonNullable<Parameters<typeof aCell>[1]>['readBack']>;
const judged = (readBack: ReadBack, operation = 'apply-by-mac') => {
  const { facts, samples } = aCell(undefined, { operation, readBack });
  return judgeCell(facts, samples);
};

describe('a cell that was reconciled', () => {
  it('is violated by a single lost endpoint, with the exact number', () => {
    expect(judged({ reconciliation: walked }).verdict).toBe('met');
    const lost = { count: 6, examples: ['02:00:00:00:00:01 is not listed'] };
    const { verdict, reasons } = judged({ reconciliation: { ...walked, lost } });
    expect(verdict).toBe('violated');
    expect(reasons.join()).toMatch(/6 lost.*02:00:00:00:00:01 is not listed/);
  });

  it('is violated by another policy, and not by endpoints of others', () => {
    const wrongPolicy = { count: 4, examples: ['x holds "Other"'], checked: 30 };
    expect(judged({ reconciliation: { ...walked, wrongPolicy } }).verdict).toBe('violated');
    expect(judged({ reconciliation: { ...walked, foreign: { count: 40, examples: [] } } }).verdict).toBe('met');
  });

  it('is not measured validly, and not violated, by a policy on a few endpoints that the run put on none', () => {
    const wrongPolicy = { count: 3, examples: ['x holds "Other"'], checked: 30 };
    const one = judged({ reconciliation: { ...walked, wrongPolicy } });
    expect(one.verdict).toBe('invalid');
    expect(one.reasons.join()).toMatch(
      /x holds "Other"; the run put no such policy on any endpoint: somebody else may/,
    );
    const mismatches = ['x holds "Other" after the load'];
    expect(judged({ sampled: 20, proven: 19, mismatches, others: 1 }).verdict).toBe('invalid');
    expect(judged({ sampled: 20, proven: 17, mismatches, others: 3 }).verdict).toBe('violated');
    expect(judged({ sampled: 20, proven: 18, mismatches, others: 1 }).verdict).toBe('violated');
  });

  it.each([
    [30, null, 'up to 9.50 % may'],
    [600, true, 'up to 0.50 % may'],
    [1250, true, 'read hold another'],
  ])('proves by %i policies read what they can: %s', (checked, holds, words) => {
    const { rules } = judged({ reconciliation: { ...walked, wrongPolicy: { ...none, checked } } });
    const rule = rules.find(({ id }) => id === 'policies-proven');
    expect(rule).toMatchObject({ holds, measured: expect.stringContaining(words) });
  });

  it('says which loss a sample could not have seen where the list was not walked', () => {
    const { rules, verdict } = judged({ reconciliation: { ...walked, skipped: 'the list shows no total' } });
    const rule = rules.find(({ id }) => id === 'reconciled');
    expect(rule).toMatchObject({ holds: null, measured: expect.stringMatching(/below 13\.9 % .* 20 samples/) });
    expect(verdict).toBe('met');
  });

  it('allows the totals what others changed before the load, at a low rate too', () => {
    const totals = { totalBefore: 1250, totalAfter: 92 };
    expect(judged(totals, 'clear-by-mac').verdict).toBe('violated');
    expect(judged({ ...totals, driftPerSecond: 20 }, 'clear-by-mac').verdict).toBe('met');
  });
});
