import { describe, expect, it } from 'vitest';
import { judgeCell } from '../../../lib/judge/cell/judge-cell.ts';
import { littleSentence } from '../../../lib/judge/cell/rules/drop.ts';
import { aCell, judged } from '../../helpers/a-cell.ts';

/** 30 connections against 200 ms: 30 arrivals start, the next 20 find no connection. */
const exhausted = (tick: number) => (tick % 50 < 30 ? { serviceUs: 200_000 } : { dropped: true });

describe('dropped arrivals', () => {
  it('are the target’s doing when all connections were busy and the generator was not: the reason names Little’s law', () => {
    const { verdict, reasons, report } = judged(aCell(exhausted, { plan: { connections: 30 } }));
    expect(verdict).toBe('violated');
    expect(reasons).toContain('too slow for 30 connections: 400 of 1\u202f000 dropped');
    expect(reasons).toContain('30 connections at 200 ms mean service time can carry at most 150/s; 250/s needs 50');
    expect(report).toMatchObject({ dropped: 400, started: 600, offeredPerSecond: 150 });
    expect(littleSentence(100, 20_000, 250)).toContain('enough for 250/s on average: all were busy for some time');
    // Those that were dropped rank above every served one.
    const responseTime = { count: 600, unserved: 400, p50Ms: 200.5, p90Ms: null, p999Ms: null };
    expect(report.responseTime).toMatchObject(responseTime);
  });

  it('make the cell invalid when connections were free', () => {
    const { verdict, reasons } = judged(aCell((tick) => (tick % 50 === 7 ? { dropped: true } : {})));
    expect(verdict).toBe('invalid');
    expect(reasons).toContain('cannot be put down to the target');
  });

  it('make the cell invalid when the generator was late, busy connections or not', () => {
    const late = (tick: number) => (tick % 50 < 30 ? { serviceUs: 200_000, lagUs: 60_000 } : { dropped: true });
    expect(judged(aCell(late, { plan: { connections: 30 } })).verdict).toBe('invalid');
  });

  /** Held up for 88 ms: 22 arrivals start late and fill the connections, the next eight find none. */
  const heldUp = (tick: number) =>
    tick >= 800 && tick < 822
      ? { serviceUs: 30_000, lagUs: (822 - tick) * 4000 }
      : { dropped: tick >= 822 && tick < 830 };

  it('make the cell invalid right after the generator was held up, though it kept its schedule otherwise', () => {
    const { verdict, reasons, report } = judged(aCell(heldUp, { plan: { connections: 22 } }));
    expect(report.rules.find(({ id }) => id === 'lag')?.holds).toBe(true);
    expect(verdict).toBe('invalid');
    expect(reasons).toContain('8 of 1\u202f000 dropped, and that cannot be put down to the target');
    expect(reasons).toMatch(/% of the 22 connections in use then by arrivals that were started on time/);
  });

  it('are the target’s doing where the generator was held up once, and its backlog is few of them', () => {
    const both = (tick: number) => (tick >= 800 && tick < 830 ? heldUp(tick) : exhausted(tick));
    expect(judged(aCell(both, { plan: { connections: 30 } })).verdict).toBe('violated');
  });

  it('and lateness are judged by the limit of the lag that was set', () => {
    const late = aCell(() => ({ lagUs: 15_000 }), { plan: { lagLimitMs: 20 } });
    expect(judged(late).verdict).toBe('met');
    expect(judged(late).report.rules.find(({ id }) => id === 'lag')?.limit).toBe('20 ms');
    expect(judged(aCell(() => ({ lagUs: 15_000 }))).verdict).toBe('invalid');
  });

  it('of a target whose queue grows are not put down to too few connections', () => {
    const full = (tick: number) => tick >= 1000 && tick < 1040;
    const queue = (tick: number) => (full(tick) ? { dropped: true } : { serviceUs: 10_000 + tick * 900 });
    const { verdict, reasons } = judged(aCell(queue, { plan: { connections: 150 } }));
    expect(verdict).toBe('violated');
    expect(reasons).toMatch(/took \d+ ms at first and \d+ ms at the end: requests wait within the target/);
    expect(reasons).not.toContain('Little');
  });

  it('of a target that is at its limit from the start are not put down to too few connections either', () => {
    const limited = aCell(exhausted, { plan: { connections: 30 }, sizing: { latencyMs: 2, beside: 1 } });
    const { reasons } = judged(limited);
    expect(reasons).toContain('took 2.00 ms before the load and 200 ms under it: requests wait within the target');
    expect(reasons).not.toContain('Little');
  });
});

describe('a target that does not hold its rate is violated', () => {
  it('when one transaction of the window fails', () => {
    const { verdict, reasons } = judged(aCell((tick) => (tick === 800 ? { status: 500 } : {})));
    expect(verdict).toBe('violated');
    expect(reasons).toContain('1 of 1\u202f000 (1 server-error)');
    expect(reasons).toContain('1 of 4 buckets fall short (249/s from second 3)');
  });

  it('when a state error takes the place of a success, counted apart from failures of capacity', () => {
    const { verdict, reasons, report } = judged(aCell((tick) => (tick === 800 ? { status: 409 } : {})));
    expect(verdict).toBe('violated');
    expect(reasons).toContain('1 state errors are answers, but no verified successes');
    expect(report.rules.find(({ id }) => id === 'no-failures')?.holds).toBe(true);
    expect(report.failures).toMatchObject([{ kind: 'state', status: 409, count: 1 }]);
  });

  it('when everything is answered, later and later', () => {
    const slower = (tick: number) => ({ serviceUs: 2000 + tick * 160 });
    const { verdict, reasons } = judged(aCell(slower));
    expect(verdict).toBe('violated');
    expect(reasons).toContain('the number in flight does not grow');
  });

  it('but not for one stall of two seconds that it recovers from: the figures show that', () => {
    const stall = (tick: number) =>
      tick >= 2250 && tick < 2750 ? { serviceUs: 2_000_000 - (tick - 2250) * 4000 } : {};
    const { verdict, report } = judged(aCell(stall, { plan: { connections: 600 } }, 20));
    expect(verdict).toBe('met');
    expect(report.responseTime.p99Ms).toBeGreaterThan(1500);
  });

  it('when endpoints that were read back are not in the promised state', () => {
    const readBack = { sampled: 20, proven: 17, mismatches: ['02:00:00:00:00:01'] };
    const { verdict, reasons } = judged(aCell(undefined, { readBack }));
    expect(verdict).toBe('violated');
    expect(reasons).toContain('3 of 20 endpoints are not as a success promised: 02:00:00:00:00:01');
  });

  it('unless the generator was at fault too: that makes it invalid, and the reasons tell both', () => {
    const { verdict, report } = judged(aCell(() => ({ status: 500 }), { generator: { clockStepMs: 50 } }));
    expect(verdict).toBe('invalid');
    expect(report.reasons[0]).toContain('wall clock');
    expect(report.reasons.at(-1)).toContain('fall short');
  });
});

describe('the totals before and after the load', () => {
  const verdict = (changes: Parameters<typeof aCell>[1], arrivals?: Parameters<typeof aCell>[0]) => {
    const { facts, samples } = aCell(arrivals, changes);
    return judgeCell(facts, samples);
  };

  it('violate the cell when one success in ten changed nothing, although the sample missed it', () => {
    const report = verdict({ readBack: { totalBefore: 7, totalAfter: 7 + 1125 } });
    expect(report.verdict).toBe('violated');
    expect(report.reasons.join()).toMatch(
      /rose by as many as succeeded: 7 before, 1\u202f132 after, 1\u202f250 successes/,
    );
  });

  it.each([
    ['met', 'leave room for others that write meanwhile', 'apply-by-mac', 7, 7 + 1250 - 60],
    ['met', 'leave room for others that write meanwhile', 'apply-by-mac', 7, 7 + 1250 + 60],
    ['met', 'are turned round for an operation that clears', 'clear-by-mac', 1250, 0],
    ['violated', 'are not turned round for one that applies', 'apply-by-mac', 1250, 0],
    ['met', 'decide nothing where the list has no total', 'apply-by-mac', null, 1250],
  ])('(%s) %s', (expected, _, operation, totalBefore, totalAfter) => {
    expect(verdict({ operation, readBack: { totalBefore, totalAfter } }).verdict).toBe(expected);
  });

  it('count a failed transaction neither way', () => {
    const late = (tick: number) => (tick % 10 === 0 ? { status: 500 } : {});
    const ids = (after: number) =>
      verdict({ readBack: { totalBefore: 0, totalAfter: after } }, late).rules.find(({ id }) => id === 'totals-agree')
        ?.holds;
    expect([ids(1125), ids(1250), ids(900)]).toEqual([true, true, false]);
  });

  it('count what the ramp-up did: its successes for certain, what was under way at its end perhaps', () => {
    const ramp = { seconds: 4, arrivals: 501, succeeded: 400, failed: 0, dropped: 1 };
    const changes = (after: number) => ({ ramp, readBack: { totalBefore: 0, totalAfter: after } });
    const slack = Math.floor((1250 + 400) * 0.05);
    const holds = (after: number) => verdict(changes(after)).verdict === 'met';
    const totals = [1650 - slack - 1, 1650 - slack, 1650, 1750 + slack, 1750 + slack + 1];
    expect(totals.map(holds)).toEqual([false, true, true, true, false]);
  });
});

describe('endpoints read while the load ran', () => {
  type During = NonNullable<ReturnType<typeof aCell>['facts']['readBack']['inFlight']>;
  const judgedWith = (during: Partial<During>, arrivals?: Parameters<typeof aCell>[0]) => {
    const whole = { tried: 9, sampled: 9, proven: 9, late: 0, mismatches: [], ...during };
    return judged(aCell(arrivals, { readBack: { inFlight: whole } }));
  };

  it('are proven with how many came late, and violate the cell where one had no effect', () => {
    const late = judgedWith({ late: 2 });
    expect(late.verdict).toBe('met');
    expect(late.report.rules.find(({ id }) => id === 'effect-proven-in-flight')?.measured).toContain(
      '2 of them not at',
    );
    const lost = judgedWith({ proven: 8, mismatches: ['02:00:00:00:00:07 holds nothing'] });
    expect(lost.verdict).toBe('violated');
    expect(lost.reasons).toContain('1 of 9 endpoints read while the load ran are not as');
  });

  it('leave the cell unproven where every look failed, unless another rule tells already that it is violated', () => {
    const unread = { sampled: 0, proven: 0, skipped: 'no answer within 2 s' };
    expect(judgedWith(unread)).toMatchObject({ verdict: 'invalid', reasons: expect.stringContaining('no answer') });
    const failing = judgedWith(unread, (tick) => (tick === 800 ? { status: 500 } : {}));
    expect(failing.verdict).toBe('violated');
    expect(failing.report.rules.find(({ id }) => id === 'effect-proven-in-flight')?.holds).toBeNull();
  });

  it('decide nothing of the load too short to look', () => {
    expect(judgedWith({ tried: 0, sampled: 0, proven: 0 }).verdict).toBe('met');
  });
});
