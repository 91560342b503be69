import { describe, expect, it } from 'vitest';
import { createLog } from '../../../load/k6/log.ts';
import { cpuSecondsOf, cpuShares, psSeconds } from '../../../load/k6/monitor.ts';
import { inFlightCount, progressOf } from '../../../load/stream/progress.ts';
import { createTable } from '../../../load/stream/table.ts';

describe('the log of k6', () => {
  it('counts failed requests instead of keeping them, exceptions apart, and keeps what is no JSON', () => {
    const log = createLog();
    const failed = '{"level":"warning","msg":"Request Failed","error":"dial tcp: refused"}\n';
    log.push(failed.repeat(5000));
    log.push('{"level":"error","msg":"TypeError: x","source":"stack');
    log.push('trace"}\n{"level":"warning","msg":"Insufficient VUs"}\npanic: runtime error');
    log.end();
    expect([log.exceptions(), log.requestError()]).toEqual([1, 'dial tcp: refused']);
    expect(log.warnings()).toEqual(['error: TypeError: x', 'warning: Insufficient VUs', 'error: panic: runtime error']);
  });

  it('keeps a bounded number of distinct messages and says how often each came', () => {
    const log = createLog();
    for (let index = 0; index < 100; index += 1) log.push(`{"level":"error","msg":"m${index}"}\n`);
    log.push('{"level":"error","msg":"m0"}\n');
    expect(log.warnings()).toHaveLength(20);
    expect(log.warnings()[0]).toBe('error: m0 (2 times)');
  });
});

describe('processor time', () => {
  it('is a share of one core between readings, those before the load left out', () => {
    const readings = [0, 1, 1.1, 1.4].map((cpuSeconds, second) => ({ atMs: second * 1000, cpuSeconds }));
    expect(cpuShares(readings, 500).mean).toBeCloseTo(0.2);
    expect(cpuShares(readings, 500).max).toBeCloseTo(0.3);
    expect(cpuShares(readings.slice(0, 1), 0)).toEqual({ mean: 0, max: 0 });
  });

  it('of a process is read from the system, and is unknown for one that does not exist', () => {
    expect(cpuSecondsOf(process.pid)).toBeGreaterThan(0);
    expect(cpuSecondsOf(2 ** 30)).toBeUndefined();
    expect(['0:01.50', '1:02:03', '2-00:00:01', 'x'].map(psSeconds)).toEqual([1.5, 3723, 172_801, Number.NaN]);
  });
});

describe('live progress', () => {
  it('tells the rate of the last second, and forgets its service times', () => {
    const table = createTable(10);
    Object.assign(table, { started: 600, failed: 3, dropsUs: [1, 2], recentUs: [1000, 3000, 2000] });
    const expected = { second: 2, startedPerSecond: 250, dropped: 2, failed: 3, inFlight: null, p50Ms: 2, p99Ms: 3 };
    expect(progressOf(table, 2, 350, 1000)).toEqual(expected);
    expect(progressOf(table, 3, 600, 1000)).toMatchObject({ startedPerSecond: 0, p99Ms: null });
  });

  it('counts what is due and has neither ended nor been dropped, up to what k6 has reported', () => {
    const pace = { periodUs: 1000 };
    const table = createTable(10);
    const inFlight = inFlightCount(table, pace);
    expect(inFlight(5e6)).toBeNull();
    // Ten arrivals are due at the newest row; one drop is of the ramp-up.
    Object.assign(table, { originUs: 1e6, newestUs: 1_009_500, iterations: 6, dropsUs: [900_000, 1_003_000] });
    expect(inFlight(1_010_000)).toBe(3);
    // Nothing is reported any more: what is due by now and 0.2 s ago is on its way.
    expect(inFlight(1_300_000)).toBe(94);
    const duesUs = Float64Array.of(0, 10, 20_000, 30_000);
    expect(inFlightCount({ ...table, dropsUs: [] }, { ...pace, duesUs })(1_001_000)).toBe(0);
    expect(inFlightCount({ ...table, dropsUs: [], iterations: 1 }, { ...pace, duesUs })(2e6)).toBe(3);
  });
});
