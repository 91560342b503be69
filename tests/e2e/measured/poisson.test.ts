import { describe, expect, it } from 'vitest';
import { scheduleDues } from '../../../lib/wire/arrivals.ts';
import { permutation } from '../../../lib/wire/endpoint.ts';
import { delayServer } from '../../helpers/delay-server.ts';
import { aSpec, judgeRun, runCellOf } from '../../helpers/k6-run.ts';

const RECORD = ['k6-ended', 'stream-whole', 'counts-agree', 'record-consistent', 'schedule-whole', 'no-exceptions'];
const RANDOM = { schedule: { stretches: [1, 2, 0.1].map((seconds) => ({ seconds, ratePerSecond: 250 })), seed: 1 } };
const EARLY = /before their intended start|could not be read|has \d+ iterations/;
const numberOf = (mac: string) => Number.parseInt(mac.replaceAll(':', '').slice(-6), 16);

describe('Poisson arrivals', () => {
  it('reach the target at the moments of their schedule, as many as the rate says', async () => {
    const target = await delayServer({ delaysMs: [2], stall: null });
    const spec = aSpec(target.baseUrl, RANDOM);
    const run = await runCellOf(spec);
    const log = await target.finish();
    const report = judgeRun(run, spec);
    expect(run.generator.warnings.filter((warning) => EARLY.test(warning))).toEqual([]);
    expect(report.rules.filter(({ id, holds }) => RECORD.includes(id) && holds === false)).toEqual([]);
    const dues = scheduleDues(RANDOM.schedule);
    // A generator that is held up at the very end leaves out some of the tail, which is in no figure.
    expect(run.samples.dueUs).toEqual(dues.subarray(0, run.counts.scheduled));
    expect(run.counts.scheduled).toBeGreaterThanOrEqual(750);
    expect(report.scheduled).toBe(500);
    const order = permutation(spec.pool.size, spec.pool.seed);
    const came = new Map(log.map(({ mac, cameMs }) => [numberOf(mac), cameMs]));
    // How late each arrival came, on a clock whose zero is not known: the same for all but for what the generator was late.
    const late = Array.from(
      run.samples.seq,
      (seq, tick) => (came.get(order(seq)) ?? Number.NaN) - (dues[tick] ?? 0) / 1000,
    )
      .filter((ms) => !Number.isNaN(ms))
      .sort((a, b) => a - b);
    const middle = late[Math.floor(late.length / 2)] ?? 0;
    const lag = Math.max(10, report.lag.maxMs ?? 0);
    // Not one comes before its moment; a busy machine holds up a few on their way.
    expect(late.filter((ms) => ms < middle - lag)).toEqual([]);
    expect(late.filter((ms) => ms > middle + lag).length).toBeLessThan(late.length / 10);
  });

  it('are dropped by a target that is too slow for its connections, and the record stays whole', async () => {
    const target = await delayServer({ delaysMs: [100], stall: null });
    const spec = aSpec(target.baseUrl, { ...RANDOM, connections: 15 });
    const run = await runCellOf(spec);
    await target.finish();
    const report = judgeRun(run, spec);
    expect(run.generator.warnings.filter((warning) => EARLY.test(warning))).toEqual([]);
    expect(report.rules.filter(({ id, holds }) => RECORD.includes(id) && holds === false)).toEqual([]);
    expect(run.counts.scheduled).toBeGreaterThanOrEqual(750);
    expect(report.rules.find(({ id }) => id === 'no-drops')).toMatchObject({ holds: false, effect: 'violated' });
    // 15 connections carry 150/s of the 250.
    expect(report.dropped / report.scheduled).toBeGreaterThan(0.3);
  });
});
