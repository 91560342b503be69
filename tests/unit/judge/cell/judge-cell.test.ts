import { describe, expect, it } from 'vitest';
import type { AncOperationName } from '../../../../lib/contract/anc.ts';
import { judgeCell } from '../../../../lib/judge/cell/judge-cell.ts';
import { judge } from '../../../../lib/judge/judge.ts';
import { statementText } from '../../../../lib/records/answer.ts';
import { CellReport, emptySamples } from '../../../../lib/records/load/load.ts';
import { renderMarkdown } from '../../../../reports/render/markdown.ts';
import { renderCtrf, renderJunit } from '../../../../reports/render/test-results.ts';
import { type ACell, aCell, judged } from '../../../helpers/a-cell.ts';
import { aHeader, aRun, given } from '../../../helpers/a-run.ts';

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
    expect(report.buckets.map(({ startSeconds }) => startSeconds)).toEqual([1, 2, 3, 4]);
    expect(report.buckets.every(({ succeeded }) => succeeded === 250)).toBe(true);
    // By Little: 250/s of 2 ms.
    expect(report.inFlightMean).toBeCloseTo(0.5, 3);
  });

  it('stays met if something went wrong in the warm-up only, or one pause of 200 ms in a short run makes fifty arrivals late', () => {
    expect(judged(aCell((tick) => (tick < 100 ? { status: 500 } : {}))).verdict).toBe('met');
    const pause = (tick: number) => (tick >= 500 && tick < 540 ? { lagUs: 160_000 - (tick - 500) * 4000 } : {});
    expect(judged(aCell(pause)).verdict).toBe('met');
  });
});

const reuse = (arrivals: number) => {
  const ramp = { seconds: 4, arrivals, succeeded: arrivals, failed: 0, dropped: 0 };
  const totals = { totalBefore: 0, totalAfter: 1250 + arrivals };
  return judged(aCell(undefined, { ramp, readBack: totals, plan: { poolSize: 1400, reuseSeconds: 1 } })).verdict;
};

it('the ramp-up before the steady state uses endpoints too: where the steady state comes round to them the cell is invalid', () => {
  expect([reuse(150), reuse(151)]).toEqual(['met', 'invalid']);
});

it('latencies with unserved arrivals have no maximum beside percentiles without a value', () => {
  const { responseTime } = judged(aCell((tick) => (tick % 50 === 0 ? { status: 500 } : {}))).report;
  expect(responseTime).toMatchObject({ p99Ms: null, maxMs: null, maxServedMs: 2.5, meanServedMs: 2.5, unserved: 20 });
});

it('swapping of others decides nothing, and what a system does not show is not measured, neither held nor broken', () => {
  const cell = aCell(undefined, { generator: { swap: { k6Kb: 0, collectorKb: 0, systemPages: 5000 } } });
  expect(judged(cell).verdict).toBe('met');
  const { facts, samples } = aCell();
  const { swap: _, ...generator } = facts.generator;
  const report = judgeCell({ ...facts, generator }, samples);
  const unknown = { holds: null, measured: expect.stringContaining('not measured') };
  expect(CellReport.parse(report).rules.find(({ id }) => id === 'swap')).toMatchObject(unknown);
  expect([report.verdict, report.reasons]).toEqual(['met', []]);
});

describe('a cell whose record or generator is not in order is invalid', () => {
  const counts = { scheduled: 1250, started: 1250, dropped: 0, recorded: 1250, exceptions: 0 };
  const swap = { k6Kb: 0, collectorKb: 0, systemPages: 300 };
  const unread = { sampled: 0, proven: 0, skipped: 'the list could not be read' };
  const timeouts = [{ kind: 'timeout' as const, status: 0, errorCode: '1050', count: 3 }];
  const { facts, samples } = aCell(undefined, {}, 4);
  it.each<[string, Parameters<typeof aCell>[1], RegExp]>([
    ['k6 was killed', { generator: { exitCode: null, signal: 'SIGKILL' } }, /k6 ended by itself: SIGKILL/],
    ['it was interrupted', { generator: { exitCode: 105 } }, /^interrupted after 4 of 5 s$/],
    ['k6 ended with a code', { generator: { exitCode: 107 } }, /exit code 107/],
    ['the stream was cut', { generator: { streamComplete: false } }, /cut/],
    ['a started iteration was not recorded', { counts: { ...counts, recorded: 1249 } }, /1249 recorded/],
    ['an iteration threw', { counts: { ...counts, exceptions: 1 } }, /no iteration threw: 1/],
    ['failures are counted that no row shows', { failures: timeouts }, /contradictions/],
    ['the wall clock stepped', { generator: { clockStepMs: 40 } }, /step of the wall clock/],
    ['memory of k6 was swapped', { generator: { swap: { ...swap, k6Kb: 512 } } }, /k6 512 kB, .*; 300 pages of the/],
    ['memory of the collector was swapped', { generator: { swap: { ...swap, collectorKb: 4 } } }, /collector 4 kB/],
    ['k6 used all processors', { generator: { k6CpuMean: 1.7 } }, /85 %/],
    ['nobody measured k6', { generator: { k6CpuMean: null, k6CpuMax: null } }, /k6 used: not measured/],
    ['the collector was busy', { generator: { collectorCpuMean: 0.95 } }, /own process/],
    ['nothing was read back', { readBack: unread }, /the list could not be read/],
    ['the cell could not be run', { fault: 'no endpoints' }, /no endpoints/],
    ['the window is empty', { plan: { warmupSeconds: 5 } }, /0 in 0 s/],
    ['endpoints come again within the timeout', { plan: { poolSize: 250, reuseSeconds: 1 } }, /comes again/],
  ])('%s', (_, changes, says) => {
    const { verdict, reasons } = judged(aCell(undefined, changes));
    expect(reasons).toMatch(says);
    expect(verdict).toBe('invalid');
  });

  it.each<[string, ReturnType<typeof aCell>, RegExp]>([
    ['are missing', { samples, facts: { ...facts, plan: aCell().facts.plan } }, /: 1000, allowed is 1250/],
    ['are 100 ms late', aCell((tick) => (tick % 5 === 0 ? { lagUs: 100_000 } : {})), /p90 of its lag was 100 ms/],
    ['are two seconds late', aCell((tick) => (tick === 700 ? { lagUs: 2e6 } : {})), /largest lag/],
  ])('arrivals %s', (_, cell, says) => {
    const { verdict, reasons } = judged(cell);
    expect(reasons).toMatch(says);
    expect(verdict).toBe('invalid');
  });

  it('without samples, and its report still keeps the schema; with no rows at all', () => {
    const report = judgeCell(aCell().facts, null);
    expect(CellReport.parse(report).verdict).toBe('invalid');
    expect(report.reasons.join()).toContain('no samples');
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

const reason = 'applying by the IP address 10.0.0.7 was answered 400 "Session lookup failure"';

const [REFUSED, NO_SPEED] = ['60k apply-by-ip was refused', 'Not a question of speed'];

/** A cell that the target lacks something for, as a load records it. */
const lacking = (): ACell => {
  const { facts } = aCell(() => ({}), { id: '60k-apply-by-ip-1', operation: 'apply-by-ip', notRun: reason });
  return { facts, samples: emptySamples(0) };
};

function report(operations: readonly AncOperationName[], cells: readonly ACell[]) {
  const options = given({ profiles: ['60k'], operations: [...operations] });
  return judge(aRun({ header: aHeader({ command: 'load', options }), cells }), judgeCell);
}

describe('a cell that was not run because the target lacks what it needs', () => {
  const both = report(['apply-by-mac', 'apply-by-ip'], [aCell(), lacking()]);

  it('leaves the verdict to the others, is named with its reason, and is no success of the run', () => {
    const [cells, text] = [[{ operation: 'apply-by-mac', verdict: 'met' }], `${REFUSED}: ${reason}. ${NO_SPEED}`];
    const notRun = [{ profile: '60k', operation: 'apply-by-ip', reason }];
    expect(both.load).toMatchObject({ verdict: 'met', cells, notRun });
    expect(both.exit).toMatchObject({ code: 7, reasons: [{ code: 7, text }] });
    expect(statementText(both.answer.sentence)).toBe(`Refused: 1 of 2 hold 250/s; ${text}`);
    expect(both.answer).toMatchObject({
      ending: 'refused',
      tone: 'open',
      reasons: [],
      next: [{ args: ['doctor', '--base-url', both.run.target.baseUrl] }],
    });
  });

  it('is skipped in the files for CI servers, and a line of the summary', () => {
    expect(renderJunit(both)).toContain('<skipped message="applying by the IP address');
    expect(JSON.parse(renderCtrf(both)).results.summary).toMatchObject({ passed: 1, skipped: 1 });
    expect(renderMarkdown(both)).toContain('60k apply-by-ip was refused: applying by the IP address 10.0.0.7');
  });

  it('does not hide a violated one, nor one that left no record, and leaves the load untested if there is no other', () => {
    const bad = aCell((tick) => (tick % 5 === 0 ? { status: 500 } : {}), { readBack: { totalBefore: null } });
    const violated = report(['apply-by-mac', 'apply-by-ip'], [bad, lacking()]);
    expect([violated.load?.verdict, violated.exit.code]).toEqual(['violated', 1]);
    const missing = report(['apply-by-mac', 'apply-policy', 'apply-by-ip'], [aCell(), lacking()]);
    expect([missing.load?.verdict, missing.exit.code]).toEqual(['invalid', 4]);
    const alone = report(['apply-by-ip'], [lacking()]);
    expect([alone.load?.verdict, alone.exit.code]).toEqual(['not-tested', 3]);
    expect(alone.exit.reasons[0]?.text).toBe('load: nothing was measured');
  });
});

it('a cell in which each answer was one and the same refusal is refused and not too slow, and quotes the target', () => {
  const kind = { kind: 'client-error', status: 400, errorCode: 'other' } as const;
  const failures = [{ ...kind, count: 1250, example: 'No session' }];
  const refused = aCell(() => ({ status: 400 }), { id: '60k-apply-by-ip-1', operation: 'apply-by-ip', failures });
  const judged = report(['apply-by-mac', 'apply-by-ip'], [aCell(), refused]);
  expect([judged.load?.verdict, judged.exit.code, judged.answer.ending]).toEqual(['met', 7, 'refused']);
  const said = statementText(judged.answer.sentence);
  expect(said).toBe(`Refused: 1 of 2 hold 250/s; ${REFUSED}: 400 "No session". ${NO_SPEED}`);
});
