import { describe, expect, it } from 'vitest';
import { judgeCell } from '../../../../lib/judge/cell/judge-cell.ts';
import { errorBudget, OBJECTIVE } from '../../../../lib/records/load/objective.ts';
import { aCell } from '../../../helpers/a-cell.ts';

type Rows = Parameters<typeof aCell>[0];

const judged = (slo: readonly string[], rows?: Rows) => {
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
    expect(judged(['p99=3ms', 'p50=1s']).verdict).toBe('met');
    const { verdict, reasons } = judged(['p99.9=2ms']);
    expect([verdict, reasons.join()]).toEqual(['violated', expect.stringMatching(/p99\.9 .*2\.5 ms, allowed is 2 ms/)]);
    expect(judged([]).rules.filter(({ id }) => id.startsWith('slo-'))).toEqual([]);
  });

  it('does not hold where the percentile lies among arrivals that were not served', () => {
    expect(judged(['p99=10s', 'errors=5%'], failing(20)).reasons.join()).toContain('not served');
  });
});

describe('an objective for errors', () => {
  it('allows exactly its share of the arrivals to fail, state errors among them', () => {
    for (const status of [500, 409]) {
      const [within, beyond] = [judged(['errors=1%'], failing(10, status)), judged(['errors=1%'], failing(11, status))];
      expect([within.verdict, beyond.verdict]).toEqual(['met', 'violated']);
      expect(beyond.reasons.join()).toMatch(
        /share of failed transactions .*1\.1 % \(11 of 1\u202f000; 11 \S+\), allowed is 1 %/,
      );
    }
  });

  it('stands in place of the rule that none may fail, and tolerates nothing else', () => {
    expect(judged([], failing(1)).verdict).toBe('violated');
    expect(judged(['p99=1s'], failing(1)).verdict).toBe('violated');
    const { rules, verdict } = judged(['errors=0%']);
    expect([verdict, rules.some(({ id }) => id === 'no-failures')]).toEqual(['met', false]);
    const dropped: Rows = (tick) => (tick === 400 ? { dropped: true } : {});
    expect(judged(['errors=50%'], dropped).verdict).not.toBe('met');
  });

  it('counts the strictest of several, and is written as a percentage below 100', () => {
    expect(errorBudget(['errors=1%', 'p99=1s', 'errors=0.1%'])).toBeCloseTo(0.001, 9);
    expect(errorBudget(['p99=1s'])).toBeUndefined();
    for (const text of ['errors=0.1%', 'errors=99%', 'p99.9=1.5s']) expect(text).toMatch(OBJECTIVE);
    for (const text of ['errors=100%', 'errors=1', 'error=1%', 'p98=1s', 'p99=200'])
      expect(text).not.toMatch(OBJECTIVE);
  });
});
