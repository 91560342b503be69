import { describe, expect, it } from 'vitest';
import { judgeCell } from '../../../lib/judge/cell/judge-cell.ts';
import { littleSentence } from '../../../lib/judge/cell/rules/drop.ts';
import { type ACell, aCell, judged } from '../../helpers/a-cell.ts';
import type { MadeArrival } from '../../helpers/k6-csv.ts';

type Changes = NonNullable<Parameters<typeof aCell>[1]>;
type Row = readonly [rule: string, verdict: 'met' | 'violated' | 'invalid', cell: ACell, ...said: (string | RegExp)[]];

const on = (connections: number, more: Changes = {}): Changes => ({ ...more, plan: { connections } });
const busy = on(30, { sizing: { latencyMs: 100, beside: 1 } });
const NO_LITTLE = /^(?![\s\S]*Little)/;
const held = (cell: ACell, rule: string) => judged(cell).report.rules.find(({ id }) => id === rule)?.holds;

/** 30 connections against 200 ms: 30 arrivals start, the next 20 find no connection. */
const exhausted = (tick: number): MadeArrival => (tick % 50 < 30 ? { serviceUs: 200_000 } : { dropped: true });
/** Held up for 88 ms: 22 arrivals start late and fill the connections, the next eight find none. */
const heldUp = (tick: number): MadeArrival =>
  tick >= 800 && tick < 822
    ? { serviceUs: 30_000, lagUs: (822 - tick) * 4000 }
    : { dropped: tick >= 822 && tick < 830 };
const lateAndBusy = (tick: number) => ({ ...exhausted(tick), ...(tick % 50 < 30 && { lagUs: 60_000 }) });
const heldUpOnce = (tick: number) => (tick >= 800 && tick < 830 ? heldUp(tick) : exhausted(tick));
const queue = (tick: number) => (tick >= 1000 && tick < 1040 ? { dropped: true } : { serviceUs: 10_000 + tick * 900 });
const late = () => ({ lagUs: 15_000 });

/** Dropped arrivals are the target's doing if all connections were busy and the generator was not: the reason names Little's law. */
const DROPPED: readonly Row[] = [
  [
    ...(['when all connections were busy', 'violated', aCell(exhausted, busy)] as const),
    'too slow for 30 connections: 400 of 1\u202f000 dropped',
    '30 connections at 200 ms mean service time can carry at most 150/s; 250/s needs 50',
  ],
  [
    ...(['when connections were free', 'invalid', aCell((tick) => ({ dropped: tick % 50 === 7 }))] as const),
    'the load generator was held up',
  ],
  ['when the generator was late, busy connections or not', 'invalid', aCell(lateAndBusy, on(30))],
  [
    ...(['right after the generator was held up', 'invalid', aCell(heldUp, on(22))] as const),
    'the load generator was held up: 8 of 1\u202f000 dropped at moments',
    /% of 22 connections in use by requests sent on time/,
  ],
  ['when its backlog is few of them', 'violated', aCell(heldUpOnce, on(30))],
  [
    ...(['of a target whose queue grows', 'violated', aCell(queue, on(150)), NO_LITTLE] as const),
    /took \d+ ms at first and \d+ ms at the end: requests wait within the target/,
  ],
  [
    'of a target that is at its limit from the start',
    ...(['violated', aCell(exhausted, on(30, { sizing: { latencyMs: 2, beside: 1 } })), NO_LITTLE] as const),
    'took 2.00 ms before the load and 200 ms under it: requests wait within the target',
  ],
  ['and a lag within the limit that was set', 'met', aCell(late, { plan: { lagLimitMs: 20 } })],
  ['and a lag beyond the usual limit', 'invalid', aCell(late)],
];

const at800 = (status: number) => aCell((tick) => (tick === 800 ? { status } : {}));
const slower = (tick: number) => ({ serviceUs: 2000 + tick * 160 });
const readBack = { sampled: 20, proven: 17, mismatches: ['02:00:00:00:00:01'] };
const clockStepped = aCell(() => ({ status: 500 }), { generator: { clockStepMs: 50 } });
const RATE: readonly Row[] = [
  [
    ...(['when one transaction of the window fails', 'violated', at800(500)] as const),
    '1 of 1\u202f000 transactions failed (1 server-error)',
    '1 of 4 buckets fall short (249/s from second 3)',
  ],
  [
    ...(['when a state error takes the place of a success', 'violated', at800(409)] as const),
    '1 state errors are answers, but no verified successes',
  ],
  ['when all is answered, later and later', 'violated', aCell(slower), 'the number in flight does not grow'],
  [
    'when endpoints that were read back are not in the promised state',
    ...(['violated', aCell(undefined, { readBack })] as const),
    '3 of 20 endpoints are not as a success promised: 02:00:00:00:00:01',
  ],
  ['unless the generator was at fault too', 'invalid', clockStepped, /^.*wall clock[\s\S]*fall short.*$/],
];

const refused = { asked: 101, served: 30 };
/** Four of five transactions lose their connection. */
const lost = (tick: number) => (tick % 5 === 0 ? {} : { status: 0 });
const half = { totalBefore: 0, totalAfter: 250 };
const capped = { beside: 1, refused };
/** A cell on more connections than the target takes decides nothing, and names the number at which they are refused. */
const CAPPED: readonly Row[] = [
  [
    ...([
      'on more than the target takes',
      'invalid',
      aCell(lost, { sizing: { given: 101, ...capped }, readBack: half }),
    ] as const),
    /^the target takes 30 connections \(71 more were reset or refused while these were open\): the cell used 100 and 1 beside them, and 1.000 transactions got no answer/,
  ],
  ['that loses transactions where no trial showed a cap', 'violated', aCell(lost, { readBack: half })],
  ['that loses them within the cap', 'violated', aCell(lost, on(29, { sizing: capped, readBack: half }))],
  ['on as many as the target takes', 'met', aCell(() => ({}), on(29, { sizing: capped }))],
  [
    'on so few that they cannot carry the rate',
    ...([
      'violated',
      aCell(exhausted, on(30, { sizing: { beside: 1, refused: { asked: 101, served: 31 } } })),
    ] as const),
    /the target takes 31 connections \(70 more .*\); the target is too slow for 30 connections/,
  ],
];

const doneDespite = { status: 500, says: 'Radius Failure' };
const whole = { totalBefore: 0, totalAfter: 1250 };
const mixed = (tick: number) => ({ status: tick % 100 === 7 ? 0 : 500 });
const answered = (arrivals: (tick: number) => MadeArrival, more: Changes['readBack'] = {}) =>
  aCell(arrivals, { doneDespite, readBack: { ...whole, ...more } });
/** What is carried out and answered with an error is never met, and accuses nobody. */
const DESPITE: readonly Row[] = [
  [
    ...(['done, and answered with an error', 'invalid', answered(() => ({ status: 500 }))] as const),
    /^1000 of 1000 answered 500 "Radius Failure" although the policy was stored or removed \(20 of 20 endpoints read back show it\): no rate of successes can be proven$/,
  ],
  ['done, and lost connections beside it', 'violated', answered(mixed)],
  ['answered with an error, and not done', 'violated', answered(() => ({ status: 500 }), { proven: 3 })],
  ['answered with success after all', 'met', aCell(() => ({}), { doneDespite })],
];

describe('the verdict of a cell', () => {
  for (const [rule, verdict, cell, ...said] of [...DROPPED, ...RATE, ...CAPPED, ...DESPITE])
    it(`is ${verdict} ${rule}`, () => {
      const found = judged(cell);
      expect(found.verdict, found.reasons).toBe(verdict);
      for (const words of said) expect(found.reasons).toMatch(words);
    });

  it('ranks dropped arrivals above every served one, and leaves the rules that hold as they are', () => {
    const { report } = judged(aCell(exhausted, on(30)));
    expect(report).toMatchObject({ dropped: 400, started: 600, offeredPerSecond: 150 });
    const responseTime = { count: 600, unserved: 400, p50Ms: 200.5, p90Ms: null, p999Ms: null };
    expect(report.responseTime).toMatchObject(responseTime);
    expect(littleSentence(30, 200_000, 250, true)).toMatch(/at most 150\/s$/);
    expect(littleSentence(100, 20_000, 250, true)).toMatch(/^all were busy at times, although 100 connections/);
    expect([held(aCell(heldUp, on(22)), 'lag'), held(at800(409), 'no-failures')]).toEqual([true, true]);
    expect(judged(at800(409)).report.failures).toMatchObject([{ kind: 'state', status: 409, count: 1 }]);
    const limited = judged(aCell(late, { plan: { lagLimitMs: 20 } })).report.rules;
    expect(limited.find(({ id }) => id === 'lag')?.limit).toBe('20 ms');
    expect(judged(answered(() => ({ status: 500 }))).broken).toEqual(['answered-with-success']);
  });

  it('is met in spite of one stall of two seconds that it recovers from: the figures show that', () => {
    const stall = (tick: number) =>
      tick >= 2250 && tick < 2750 ? { serviceUs: 2_000_000 - (tick - 2250) * 4000 } : {};
    const { verdict, report } = judged(aCell(stall, on(600), 20));
    expect(verdict).toBe('met');
    expect(report.responseTime.p99Ms).toBeGreaterThan(1500);
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
