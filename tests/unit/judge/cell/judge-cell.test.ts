import { describe, expect, it } from 'vitest';
import { judgeCell } from '../../../../lib/judge/cell/judge-cell.ts';
import { CellReport } from '../../../../lib/records/load/load.ts';
import { emptySamples } from '../../../../lib/records/load/samples.ts';
import { aCell } from '../../../helpers/a-cell.ts';

function judged(cell: ReturnType<typeof aCell>) {
  const report = judgeCell(cell.facts, cell.samples);
  return { report, verdict: report.verdict, reasons: report.reasons.join('\n') };
}

describe('a cell in order', () => {
  it('is met, keeps the record schema and leaves the warm-up out of its figures', () => {
    const { report } = judged(aCell());
    expect(CellReport.parse(report).verdict).toBe('met');
    expect(report).toMatchObject({
      reasons: [],
      scheduled: 1000,
      started: 1000,
      dropped: 0,
      succeeded: 1000,
      failed: 0,
    });
    expect(report).toMatchObject({ offeredPerSecond: 250, achievedPerSecond: 250 });
    expect(report.serviceTime).toMatchObject({ count: 1000, unserved: 0, p50Ms: 2, p99Ms: 2, maxMs: 2 });
    expect(report.responseTime).toMatchObject({ p50Ms: 2.5, maxMs: 2.5 });
    expect(report.buckets.map(({ startSeconds, succeeded }) => [startSeconds, succeeded])).toEqual([
      [1, 250],
      [2, 250],
      [3, 250],
      [4, 250],
    ]);
  });

  it('says mean number in flight by Little: 250/s of 2 ms are 0.5', () => {
    expect(judged(aCell()).report.inFlightMean).toBeCloseTo(0.5, 3);
  });

  it('ignores what went wrong in the warm-up only', () => {
    expect(judged(aCell((tick) => (tick < 100 ? { status: 500 } : {}))).verdict).toBe('met');
  });

  it('stays met when one pause of 200 ms in a short run makes fifty arrivals late', () => {
    const pause = (tick: number) => (tick >= 500 && tick < 540 ? { lagUs: 160_000 - (tick - 500) * 4000 } : {});
    expect(judged(aCell(pause)).verdict).toBe('met');
  });
});

describe('the ramp-up before the steady state', () => {
  const reuse = (arrivals: number) => {
    const ramp = { seconds: 4, arrivals, succeeded: arrivals, failed: 0, dropped: 0 };
    const totals = { totalBefore: 0, totalAfter: 1250 + arrivals };
    return judged(aCell(undefined, { ramp, readBack: totals, plan: { poolSize: 1400, reuseSeconds: 1 } })).verdict;
  };

  it('uses endpoints too: where the steady state comes round to them the cell is invalid', () => {
    expect([reuse(150), reuse(151)]).toEqual(['met', 'invalid']);
  });
});

describe('latencies of a cell in which arrivals went unserved', () => {
  it('have no maximum beside percentiles that have no value, and say what is of the served ones alone', () => {
    const { responseTime } = judged(aCell((tick) => (tick % 50 === 0 ? { status: 500 } : {}))).report;
    expect(responseTime).toMatchObject({ p99Ms: null, maxMs: null, maxServedMs: 2.5, meanServedMs: 2.5, unserved: 20 });
  });
});

describe('swapping', () => {
  it('of others decides nothing', () => {
    const cell = aCell(undefined, { generator: { swap: { k6Kb: 0, collectorKb: 0, systemPages: 5000 } } });
    expect(judged(cell).verdict).toBe('met');
  });

  it('that a system does not show is called not measured, neither held nor broken', () => {
    const { facts, samples } = aCell();
    const { swap: _, ...generator } = facts.generator;
    const report = judgeCell({ ...facts, generator }, samples);
    expect(CellReport.parse(report).rules.find(({ id }) => id === 'swap')).toMatchObject({
      holds: null,
      measured: expect.stringContaining('not measured'),
    });
    expect([report.verdict, report.reasons]).toEqual(['met', []]);
  });
});

describe('a cell whose record or generator is not in order is invalid', () => {
  const cases: Record<string, { cell: ReturnType<typeof aCell>; says: RegExp }> = {
    'k6 was killed': {
      cell: aCell(undefined, { generator: { exitCode: null, signal: 'SIGKILL' } }),
      says: /k6 ended by itself: SIGKILL/,
    },
    'it was interrupted': {
      cell: aCell(undefined, { generator: { exitCode: 105 } }),
      says: /^interrupted after 4 of 5 s$/,
    },
    'k6 ended with a code': { cell: aCell(undefined, { generator: { exitCode: 107 } }), says: /exit code 107/ },
    'the stream was cut': { cell: aCell(undefined, { generator: { streamComplete: false } }), says: /cut/ },
    'a started iteration was not recorded': {
      cell: aCell(undefined, { counts: { scheduled: 1250, started: 1250, dropped: 0, recorded: 1249, exceptions: 0 } }),
      says: /1249 recorded/,
    },
    'an iteration threw': {
      cell: aCell(undefined, { counts: { scheduled: 1250, started: 1250, dropped: 0, recorded: 1250, exceptions: 1 } }),
      says: /no iteration threw: 1/,
    },
    'arrivals of the schedule are missing': {
      cell: { ...aCell(undefined, {}, 4), facts: { ...aCell(undefined, {}, 4).facts, plan: aCell().facts.plan } },
      says: /every arrival of the schedule is there: 1000, allowed is 1250/,
    },
    'failures are counted that no row shows': {
      cell: aCell(undefined, { failures: [{ kind: 'timeout', status: 0, errorCode: '1050', count: 3 }] }),
      says: /contradictions/,
    },
    'the wall clock stepped': {
      cell: aCell(undefined, { generator: { clockStepMs: 40 } }),
      says: /step of the wall clock/,
    },
    'memory of k6 was swapped': {
      cell: aCell(undefined, { generator: { swap: { k6Kb: 512, collectorKb: 0, systemPages: 300 } } }),
      says: /swapped: k6 512 kB, collector 0 kB; 300 pages of the whole system, allowed is at most 0 kB/,
    },
    'memory of the collector was swapped': {
      cell: aCell(undefined, { generator: { swap: { k6Kb: 0, collectorKb: 4, systemPages: null } } }),
      says: /swapped: k6 0 kB, collector 4 kB, allowed/,
    },
    'k6 used all processors': { cell: aCell(undefined, { generator: { k6CpuMean: 1.7 } }), says: /85 %/ },
    'nobody measured the processor time of k6': {
      cell: aCell(undefined, { generator: { k6CpuMean: null, k6CpuMax: null } }),
      says: /k6 used: not measured/,
    },
    'the collector was busy': { cell: aCell(undefined, { generator: { collectorCpuMean: 0.95 } }), says: /collector/ },
    'one in five arrivals was 100 ms late': {
      cell: aCell((tick) => (tick % 5 === 0 ? { lagUs: 100_000 } : {})),
      says: /was late: p90 of its lag was 100 ms/,
    },
    'an arrival was two seconds late': {
      cell: aCell((tick) => (tick === 700 ? { lagUs: 2e6 } : {})),
      says: /largest lag/,
    },
    'nothing was read back': {
      cell: aCell(undefined, { readBack: { sampled: 0, proven: 0, skipped: 'the list could not be read' } }),
      says: /the list could not be read/,
    },
    'the cell could not be run': { cell: aCell(undefined, { fault: 'no endpoints' }), says: /no endpoints/ },
    'the window is empty': { cell: aCell(undefined, { plan: { warmupSeconds: 5 } }), says: /0 in 0 s/ },
    'endpoints come again within the timeout': {
      cell: aCell(undefined, { plan: { poolSize: 250, reuseSeconds: 1 } }),
      says: /comes again/,
    },
  };
  for (const [name, { cell, says }] of Object.entries(cases)) {
    it(name, () => {
      const { verdict, reasons } = judged(cell);
      expect(reasons).toMatch(says);
      expect(verdict).toBe('invalid');
    });
  }

  it('without samples, and its report still keeps the schema', () => {
    const report = judgeCell(aCell().facts, null);
    expect(CellReport.parse(report).verdict).toBe('invalid');
    expect(report.reasons.join()).toContain('no samples');
  });

  it('with no rows at all', () => {
    expect(judgeCell(aCell().facts, emptySamples(0)).verdict).toBe('invalid');
  });

  it('blames nobody for what a target turns away of arrivals that were held up and sent at once', () => {
    const crowd = (tick: number) => ({
      ...(tick >= 500 && tick < 540 ? { lagUs: 160_000 - (tick - 500) * 4000 } : {}),
      ...(tick > 520 && tick < 540 ? { status: 500 } : {}),
    });
    const { verdict, reasons } = judged(aCell(crowd));
    expect(verdict).toBe('invalid');
    expect(reasons).toMatch(/held up arrivals and sent them at once: 19 of 19 failures/);
    const always = (tick: number) => ({ ...crowd(tick), ...(tick % 2 === 0 ? { status: 500 } : {}) });
    expect(judged(aCell(always, {}, 20)).verdict).toBe('violated');
  });

  it('judges long windows by p99 of the lag: 2 % of late arrivals are too many there and not enough in a short one', () => {
    const late = (tick: number) => (tick % 50 === 0 ? { lagUs: 50_000 } : {});
    expect(judged(aCell(late)).verdict).toBe('met');
    expect(judged(aCell(late, {}, 60)).reasons).toMatch(/p99 of its lag was 50 ms/);
  });
});
