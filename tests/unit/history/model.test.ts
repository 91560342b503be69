import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../lib/random.ts';
import { failures, historyReport, readFailOn } from '../../../reports/history/model/history-report.ts';
import { nightsOf } from '../../../reports/history/model/nights.ts';
import { flakesOf } from '../../../reports/history/model/series.ts';
import { renderHistoryMarkdown } from '../../../reports/history/pages/lines.ts';
import type { HistoryLine } from '../../../reports/history/record/line.ts';
import { NO_TRUTH, simulatedHistory, type Truth } from '../../helpers/simulated-history.ts';

const reportOf = (lines: readonly HistoryLine[], selection = {}) => historyReport({ lines, skipped: [] }, selection);
const made = (nights: number, truth: Partial<Truth>, seed = 1) =>
  reportOf(simulatedHistory(nights, { ...NO_TRUTH, ...truth }, seed));

const OR = (from: number, to?: number) => ({ checkId: 'filter/or', from, ...(to !== undefined && { to }) });

describe('the history of a target', () => {
  it('names the first bad run of each of 60 defects, and the night it passed last', () => {
    const random = seededRandom(60);
    const ids = Object.keys(simulatedHistory(1, NO_TRUTH)[0]?.checks ?? {});
    const defects = Array.from({ length: 60 }, (_, at) => ({
      checkId: ids[(at * 7) % ids.length] ?? '',
      from: 1 + Math.floor(random() * 29),
    }));
    const { failing, nights } = made(30, { defects });
    const firstBad = new Map(failing.map(({ checkId, firstBad: { run } }) => [checkId, run]));
    for (const { checkId } of defects) {
      const from = Math.min(...defects.filter((one) => one.checkId === checkId).map((one) => one.from));
      expect([checkId, firstBad.get(checkId)]).toEqual([checkId, nights[from]?.run]);
    }
  });

  it('takes a warning for no failure', () => {
    const warned = simulatedHistory(10, { ...NO_TRUTH, defects: [OR(4)] }).map((line) => {
      const { 'filter/or': held, ...others } = line.checks;
      const checks = held && { ...others, 'filter/or': { ...held, r: held.r.map((row) => row.replaceAll('f', 'w')) } };
      return { ...line, causes: [], checks: checks ?? others };
    });
    const { failing, strips } = reportOf(warned);
    expect([failing, strips.rows]).toEqual([[], []]);
  });

  it('names the first bad run of each cause, and what changed with it', () => {
    const defects = [OR(12), { checkId: 'paging/next', from: 3, to: 9 }];
    const toolUpdates = [{ from: 12, version: '0.2.0' }];
    const { failingCauses, nights } = made(30, { defects, toolUpdates, outages: [13] });
    const [firstBad, lastGood] = [{ run: nights[12]?.run }, { run: nights[11]?.run }];
    const cause = { id: 'MADE/filter/or', firstBad, lastGood, nights: 17, changes: ['tool: 0.1.0 → 0.2.0'] };
    expect(failingCauses).toMatchObject([cause]);
  });

  it('takes no night for a good one that did not look, or was allowed to do less', () => {
    const made = simulatedHistory(3, { ...NO_TRUTH, defects: [{ checkId: 'filter/or', from: 0 }] });
    const lines = made.map((line) => ({
      ...line,
      causes: line.causes.map((one) => ({ ...one, checks: ['filter/or'] })),
    }));
    const without = (change: (line: HistoryLine) => Partial<HistoryLine>) => {
      const other = lines.map((line, at) => (at === 1 ? { ...line, causes: [], ...change(line) } : line));
      return reportOf(other).failingCauses[0]?.lastGood?.run;
    };
    const unclear = ({ checks }: HistoryLine) => ({ checks: { ...checks, 'filter/or': { r: ['u'] } } });
    expect(without(() => ({}))).toBe(lines[1]?.run);
    expect([without(() => ({ mode: 'read-only' })), without(unclear)]).toEqual([undefined, undefined]);
  });

  it('counts of a refusal the nights with the same answer, from the first of them, and says a gap', () => {
    const answers = [400, 400, 400, null, 500, 400, 400];
    const lines = simulatedHistory(answers.length, NO_TRUTH).map((line, at) => {
      const title = `GET /ers/config/sgt answers ${answers[at]} "no"`;
      const cause = { id: 'LST-FILT list refused: filter', title, results: 1, checks: ['filter/operator'] };
      return { ...line, causes: answers[at] === null ? [] : [cause] };
    });
    const of = (nights: number) => reportOf(lines.slice(0, nights));
    const runs = lines.map(({ run }) => run);
    const back = { firstBad: { run: runs[5] }, lastGood: { run: runs[4] }, nights: 2 };
    expect(of(7).failingCauses).toMatchObject([{ ...back, earlier: { run: runs[0], nights: 3 } }]);
    expect(renderHistoryMarkdown(of(7))).toContain(
      `first bad run 2026-01-01, ${runs[0]}, 3 runs; last run without it 2026-01-05; back since 2026-01-06, ${runs[5]}, 2 runs; `,
    );
    // A night that answers otherwise is new, as it says itself.
    expect(of(5).failingCauses).toMatchObject([{ firstBad: { run: runs[4] }, lastGood: { run: runs[3] }, nights: 1 }]);
    expect(of(5).failingCauses[0]).not.toHaveProperty('earlier');
    expect(failures(of(5), { new: true, worse: false })).toHaveLength(1);
  });

  it('draws a cause that a baseline expects as expected, as it does a check', () => {
    const cause = { id: 'LST-FILT list refused: filter', title: 'no', results: 1, checks: ['filter/operator'] };
    const lines = simulatedHistory(2, NO_TRUTH).map((line, at) => ({
      ...line,
      causes: [at === 0 ? cause : { ...cause, expected: true as const }],
    }));
    expect(reportOf(lines).strips.rows[0]).toMatchObject({ states: ['fail', 'expected'], failed: 1, last: 'expected' });
  });

  it.each([
    ['one night alone comes and goes', [{ from: 5, to: 6 }], undefined, 1, 0],
    ['two nights apart come and go', [5, 9].map((from) => ({ from, to: from + 1 })), undefined, 2, 0],
    ['two nights in a row are new since the first', [{ from: 10, to: 12 }], undefined, 0, 1],
    ['two nights in a row, and mended, are neither', [{ from: 5, to: 7 }], undefined, 0, 0],
    ['a night that a new version ended is not flaky', [{ from: 5, to: 6 }], 6, 0, 0],
    ['a night that a new version began is not flaky', [{ from: 5, to: 6 }], 5, 0, 0],
  ])('says that %s', (_, spans, version, flaked, failing) => {
    const report = made(12, {
      defects: spans.map(({ from, to }) => OR(from, to)),
      toolUpdates: version === undefined ? [] : [{ from: version, version: '0.2.0' }],
    });
    expect(report.flakes.map((one) => [one.flaked, one.steady])).toEqual(flaked === 0 ? [] : [[flaked, flaked]]);
    expect(report.failingCauses).toHaveLength(failing);
    if (failing > 0) expect(report.failingCauses[0]?.firstBad.run).toBe(report.nights[10]?.run);
    if (flaked > 0) expect(renderHistoryMarkdown(report)).toContain('each time it failed throughout the run');
  });

  it('draws nights that were cut or could not test, and counts none of them', () => {
    const report = made(30, { outages: [5, 6], cuts: [9], defects: [OR(5, 7)] });
    expect(report.counted).toBe(27);
    expect(report.nights).toHaveLength(30);
    expect(report.failing).toEqual([]);
    expect(report.strips.rows).toEqual([]);
  });

  it.each([0.01, 0.2])(
    'estimates a flake rate of %d with an interval that holds it in nine of ten histories',
    (rate) => {
      const truth = { ...NO_TRUTH, flakes: [{ checkId: 'filter/or', rate }] };
      const estimates = Array.from({ length: 12 }, (_, seed) => {
        const flakes = flakesOf(nightsOf(simulatedHistory(150, truth, seed + 1), {}).nights);
        return flakes.find(({ checkId }) => checkId === 'filter/or') ?? { rate: 0, low: 0, high: 0.02 };
      });
      expect(estimates.filter(({ low, high }) => low <= rate && rate <= high).length).toBeGreaterThanOrEqual(11);
      const mean = estimates.reduce((sum, one) => sum + one.rate, 0) / estimates.length;
      expect(Math.abs(mean - rate)).toBeLessThan(0.3 * rate + 0.003);
    },
  );

  it('keeps nights with another rate or number of connections in series of their own', () => {
    const lines = simulatedHistory(4, NO_TRUTH).map((line, at) => ({
      ...line,
      cells: line.cells.slice(0, 1).map((cell) => ({ ...cell, connections: at < 2 ? 100 : 50 })),
    }));
    expect(reportOf(lines).series.map(({ points }) => points.length)).toEqual([2, 2]);
  });

  it('fails on what is new, worse or too flaky, and on nothing else', () => {
    const all = { new: true, worse: true, flaky: 0.05 };
    expect(readFailOn('new,worse,flaky>5%')).toEqual(all);
    expect(readFailOn('newer')).toBeNull();
    expect(failures(made(30, {}), all)).toEqual([]);
    const fresh = made(30, { defects: [OR(29)] });
    expect(failures(fresh, all)).toEqual([expect.stringContaining('new: filter/or')]);
    expect(failures(made(30, { defects: [OR(20)] }), all)).toEqual([]);
    const flaky = made(100, { flakes: [{ checkId: 'filter/or', rate: 0.2 }] });
    expect(failures(flaky, all).filter((line) => line.startsWith('flaky'))).toHaveLength(1);
    const slow = made(40, { steps: [{ from: 30, size: 0.5 }] });
    expect(failures(slow, all).some((line) => line.startsWith('worse'))).toBe(true);
    expect(failures(slow, { new: true, worse: false })).toEqual([]);
  });

  it('looks at the target of the newest line unless another one is named', () => {
    const here = simulatedHistory(3, NO_TRUTH);
    const there = here.map((line) => ({ ...line, target: 'https://other.example', at: line.at.replace('T02', 'T01') }));
    const lines = [...there, ...here];
    expect(reportOf(lines)).toMatchObject({ target: 'https://ers.example', otherTargets: ['https://other.example'] });
    expect(reportOf(lines, { target: 'other' }).nights).toHaveLength(3);
  });
});
