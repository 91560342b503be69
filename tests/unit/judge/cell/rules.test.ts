import { describe, expect, it } from 'vitest';
import { judgeCell } from '../../../../lib/judge/cell/judge-cell.ts';
import { touchedWords } from '../../../../lib/judge/cell/judge-load.ts';
import type { CellFacts } from '../../../../lib/records/load/load.ts';
import { errorBudget, OBJECTIVE } from '../../../../lib/records/load/parts.ts';
import { aCell } from '../../../helpers/a-cell.ts';
import { someFacts } from '../../../helpers/a-cell-report.ts';

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
    expect(reasons.join()).toMatch(/^6 of .* lost: 02:00:00:00:00:01 is not listed/);
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

  it('is not measured validly, and not violated, by what somebody else does who was seen to write to the pool', () => {
    const sharedPool = 'somebody else writes to the pool';
    const lost = { ...walked, lost: { count: 3, examples: ['x is not listed'] } };
    const by = (reconciliation: typeof lost, more: Partial<CellFacts> = {}) => {
      const { facts, samples } = aCell(undefined, { operation: 'apply-by-mac', readBack: { reconciliation } });
      return judgeCell({ ...facts, ...more }, samples);
    };
    expect([by(lost).verdict, by(lost, { sharedPool }).verdict]).toEqual(['violated', 'invalid']);
    expect(by(lost, { sharedPool }).reasons).toContain(sharedPool);
    expect(by(walked, { sharedPool }).verdict).toBe('met');
    const failures: CellFacts['failures'] = [{ kind: 'server-error', status: 500, errorCode: '', count: 1 }];
    expect(by(lost, { sharedPool, failures }).rules.some(({ id }) => id === 'own-pool')).toBe(false);
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

type Rows = Parameters<typeof aCell>[0];

const judgedBy = (slo: readonly string[], rows?: Rows) => {
  const { facts, samples } = aCell(rows, { plan: { slo: [...slo] } });
  return judgeCell(facts, samples);
};
/** The first arrivals of the window of 1,000 fail. */
const failing =
  (count: number, status = 500): Rows =>
  (tick) =>
    tick >= 250 && tick < 250 + count ? { status } : {};

describe('an objective of the response time', () => {
  it('is judged beside the rules of the specification, and is none where it was not set', () => {
    expect(judgedBy(['p99=3ms', 'p50=1s']).verdict).toBe('met');
    const { verdict, reasons } = judgedBy(['p99.9=2ms']);
    expect([verdict, reasons.join()]).toEqual(['violated', expect.stringMatching(/p99\.9 .*2\.5 ms, allowed is 2 ms/)]);
    expect(judgedBy([]).rules.filter(({ id }) => id.startsWith('slo-'))).toEqual([]);
    expect(judgedBy(['p99=10s', 'errors=5%'], failing(20)).reasons.join()).toContain('not served');
  });
});

describe('an objective for errors', () => {
  it('allows exactly its share of the arrivals to fail, state errors among them', () => {
    for (const status of [500, 409]) {
      expect(judgedBy(['errors=1%'], failing(10, status)).verdict).toBe('met');
      const beyond = judgedBy(['errors=1%'], failing(11, status));
      expect(beyond.verdict).toBe('violated');
      expect(beyond.reasons.join()).toMatch(
        /share of failed transactions .*1\.1 % \(11 of 1\u202f000; 11 \S+\), allowed is 1 %/,
      );
    }
  });

  it('stands in place of the rule that none may fail, and tolerates nothing else', () => {
    expect(judgedBy([], failing(1)).verdict).toBe('violated');
    expect(judgedBy(['p99=1s'], failing(1)).verdict).toBe('violated');
    const { rules, verdict } = judgedBy(['errors=0%']);
    expect([verdict, rules.some(({ id }) => id === 'no-failures')]).toEqual(['met', false]);
    const dropped: Rows = (tick) => (tick === 400 ? { dropped: true } : {});
    expect(judgedBy(['errors=50%'], dropped).verdict).not.toBe('met');
  });

  it('counts the strictest of several, and is written as a percentage below 100', () => {
    expect(errorBudget(['errors=1%', 'p99=1s', 'errors=0.1%'])).toBeCloseTo(0.001, 9);
    expect(errorBudget(['p99=1s'])).toBeUndefined();
    for (const text of ['errors=0.1%', 'errors=99%', 'p99.9=1.5s']) expect(text).toMatch(OBJECTIVE);
    for (const text of ['errors=100%', 'errors=1', 'error=1%', 'p98=1s', 'p99=200'])
      expect(text).not.toMatch(OBJECTIVE);
  });
});

const TOO_FEW = 'too few to speak for a deployment of this size';
const words = (sessions: number, { embedded = false }: { embedded?: boolean } = {}) =>
  touchedWords({ ...someFacts(), plan: { ...someFacts().plan, sessions } }, { embedded });

describe('how much of a population a cell touched', () => {
  it('stands beside the verdict, and below a tenth it is too few, if the population is not that of the profile', () => {
    expect(words(6000)).toBe('used 5\u202f500 of 6\u202f000 endpoints (92 %)');
    expect(words(500_000)).toBe(`used 5\u202f500 of 500\u202f000 endpoints (1.1 %); ${TOO_FEW}`);
    expect(words(500_000, { embedded: true })).toBe('used 5\u202f500 of 500\u202f000 endpoints (1.1 %)');
  });
});
