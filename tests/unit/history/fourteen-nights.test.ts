import pc from 'picocolors';
import { afterAll, describe, expect, it } from 'vitest';
import { annotations, failureLines } from '../../../cli/output/summary.ts';
import { NEWEST_SET, REQUIREMENT_SETS } from '../../../lib/contract/requirement-sets.ts';
import { defined } from '../../../lib/defined.ts';
import { resourceWord } from '../../../lib/judge/conformance/baseline/known.ts';
import { judge } from '../../../lib/judge/judge.ts';
import { statementText } from '../../../lib/records/answer.ts';
import type { Baseline, BaselineEntry } from '../../../lib/records/baseline.ts';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import type { Report } from '../../../lib/records/report.ts';
import { compareConformance } from '../../../reports/compare/conformance.ts';
import { conformanceSection } from '../../../reports/compare/document.ts';
import { failures, historyReport } from '../../../reports/history/model/history-report.ts';
import { answerOf, renderHistoryMarkdown } from '../../../reports/history/pages/lines.ts';
import { lineOf } from '../../../reports/history/record/line-of.ts';
import { documentLines } from '../../../reports/render/markdown-blocks.ts';
import { renderJunit } from '../../../reports/render/test-results.ts';
import { cellOf } from '../../helpers/a-cell-report.ts';
import { judgedRun } from '../../helpers/a-report.ts';
import { aHeader, anEnd, anExchange, aResult, aRun, fullResults, given } from '../../helpers/a-run.ts';

/** A failure that one refused request shows. */
function fault(operation: string, path: string, words: string) {
  const id = `${operation} ${path}`;
  const exchange = anExchange({
    ...{ id, operation, path: `/ers/config/alpha${path}`, status: 500 },
    responseBody: JSON.stringify({ ERSResponse: { messages: [{ title: words }] } }),
  });
  const results = [`${operation}/one`, `${operation}/two`].map((checkId) =>
    aResult({
      ...{ checkId, title: checkId, requirement: `OP-alpha-${operation === 'list' ? 'L' : 'R'}`, verdict: 'fail' },
      failure: { kind: 'refused', operation, subject: 'request' },
      evidence: [id],
    }),
  );
  return { exchange, results };
}

const LIST = fault('list', '', 'Operation search ALPHA failed');
const READ = fault('read', '/1', 'Lookup failed');
const SORT = fault('list', '?sortasc=name', 'Sorting is out of order');
const OTHER_SORT = fault('list', '?sortasc=name', 'Index is gone');

const entry = (operation: string, line: number): BaselineEntry & { line: number } => ({
  ...{ check: [`${operation}/one`, `${operation}/two`], reason: 'known', expires: '2026-12-31', line },
});

interface Night {
  readonly faults?: readonly ReturnType<typeof fault>[];
  /** Operations of which a failure is expected. */
  readonly expected?: readonly string[];
  readonly cut?: true;
  /** A check that could not decide this night. */
  readonly open?: string;
}

function judged({ faults = [], expected = [], cut, open }: Night, at: number) {
  const failing = faults.flatMap(({ results }) => results);
  const names = new Set(failing.map(({ checkId }) => checkId));
  const passing = ['list', 'read'].flatMap((operation) => fault(operation, '', '').results);
  const good = passing
    .filter(({ checkId }) => !names.has(checkId))
    .map(({ failure: _, ...result }): ConformanceResult => ({ ...result, verdict: 'pass', evidence: [] }));
  const full = fullResults().map((result): ConformanceResult => {
    if (result.checkId !== open) return result;
    const { covers: _, witness: __, ...rest } = result;
    return { ...rest, verdict: 'inconclusive', reason: 'the answer came too late' };
  });
  const day = String(at + 1).padStart(2, '0');
  return judgedRun({
    header: aHeader({ runId: `night-${day}`, startedAt: `2026-01-${day}T02:00:00.000Z`, mode: 'read-only' }),
    results: [...full, ...failing, ...good],
    exchanges: faults.map(({ exchange }) => exchange),
    baseline: {
      ...{ file: 'expected.yaml', entries: expected.map((operation, line) => entry(operation, line + 1)) },
      least: { shown: 31, of: 31, undecided: 0 },
    },
    ...(cut === undefined ? {} : { end: { ...anEnd(), signal: 'SIGINT' as const } }),
  });
}

const LISTED = 'GET /ers/config/alpha answers 500 "Operation search ALPHA failed" (2 results)';
const LOOKED_UP = 'GET /ers/config/alpha/1 answers 500 "Lookup failed" (2 results)';

/** Nights with their exit code and first line: two faults that come and go, one mended, one expected that changes, one interrupted, one that shows less. */
const NIGHTS: readonly (readonly [Night, number, string | RegExp])[] = [
  [{}, 0, 'Passed: 2 of 2 resources passed'],
  [{ faults: [LIST] }, 1, `Failed: 1 new failure: ${LISTED}`],
  [{ faults: [LIST, READ] }, 1, `Failed: 2 new failures: ${LISTED}`],
  [{ faults: [READ] }, 1, `Failed: 1 new failure: ${LOOKED_UP}`],
  [{}, 0, 'Passed: 2 of 2 resources passed'],
  [{ faults: [LIST], expected: ['list'] }, 0, 'Nothing new: 1 expected failure'],
  [{ faults: [LIST, READ], expected: ['list'] }, 1, `Failed: 1 new failure: ${LOOKED_UP}; 1 expected`],
  [{ faults: [LIST], expected: ['list'], cut: true }, 130, /^Interrupted: /],
  [{ faults: [LIST], expected: ['list'], open: 'crud/version' }, 4, /^Unclear: |^Nothing new/],
  [{ expected: ['list'] }, 0, /^Better: 1 .* no longer needed: .*list\/one, list\/two \(expected\.yaml, line 1\)$/],
  [{ faults: [READ], expected: ['list'] }, 1, `Failed: 1 new failure: ${LOOKED_UP}`],
  [{ faults: [SORT], expected: ['list'] }, 0, 'Nothing new: 1 expected failure'],
  [{ faults: [OTHER_SORT], expected: ['list'] }, 0, 'Nothing new: 1 expected failure'],
  [{}, 0, 'Passed: 2 of 2 resources passed'],
];

const reports = NIGHTS.map(([night], at) => judged(night, at));
const told = (nights: number) =>
  historyReport({ lines: reports.slice(0, nights).map((report) => lineOf(report)), skipped: [] }, {});

describe('fourteen nights', () => {
  it.each(NIGHTS.map(([, code, line], at) => [at, code, line] as const))(
    'say first what is new: night %i ends with exit %i',
    (at, code, line) => {
      const { answer, exit } = reports[at] as (typeof reports)[number];
      const said = statementText(answer.sentence);
      expect(said).toEqual(line instanceof RegExp ? expect.stringMatching(line) : line);
      expect(exit.code, exit.reasons.map(({ text }) => text).join('\n')).toBe(code);
    },
  );

  it('are told truly on a red night: the last green one, and each failure once', () => {
    const second = told(2);
    expect(answerOf(second)).toMatchObject({ word: '1 failure', tone: 'bad' });
    expect(answerOf(second).lines).toContain('last green run: 2026-01-01, 1 day before the newest');
    expect(answerOf(second).lines).toContain(`newest run: Failed: 1 new failure: ${LISTED} (exit 1)`);
    expect(second.failingCauses.map(({ title }) => title)).toEqual([LISTED.replace(' (2 results)', '')]);
    expect(second.failing).toEqual([]);
    expect(answerOf(told(8)).lines).toContainEqual(expect.stringMatching(/^newest run: Interrupted.*\(exit 130\)$/));
    const seventh = told(7);
    expect(answerOf(seventh).word).toBe('1 failure');
    expect(seventh.failingCauses.map(({ expected }) => expected)).toEqual([false, true]);
  });

  it('say what a night no longer shows', () => {
    const line = lineOf(reports[13] as Report);
    const failed = { ...line, run: 'before', checks: { ...line.checks, told: { v: ['if it fails'], r: ['f', ''] } } };
    expect(historyReport({ lines: [failed, line], skipped: [] }, {}).noLonger).toEqual([]);
    const then = (r: string[]) => ({ ...line, checks: { ...line.checks, told: { r } } });
    const failing = (r: string[]) => historyReport({ lines: [failed, then(r)], skipped: [] }, {}).failing;
    expect([failing(['p', '']), failing(['', 'p'])]).toMatchObject([[], [{ checkId: 'told' }]]);
    expect(told(9).noLonger).toEqual(expect.arrayContaining(['crud/version alpha', 'crud/version beta']));
    const less =
      'shows less: 29 of 31 operations, filters and sorts really tested, 31 before; not: alpha version, beta version';
    expect(reports[8]?.exit.reasons.map(({ text }) => text)).toContain(less);
  });
});

/** A week ago the set lacked a requirement that has failed all along. */
const ALL = REQUIREMENT_SETS[NEWEST_SET] ?? [];
const holding = (ids: readonly string[]) => Object.assign(REQUIREMENT_SETS, { [NEWEST_SET]: ids });
holding(ALL.filter((id) => id !== 'FOP-NEQ'));
afterAll(() => holding(ALL));

/** One night, judged by the set without the requirement, or by the one with it. */
function nightOf(day: number, isNew: boolean, baseline?: Baseline) {
  const header = aHeader({
    ...{ command: 'conformance', mode: 'own-data', runId: `night-${day}`, startedAt: `2026-12-0${day}T02:00:00.000Z` },
    options: given({ ...(isNew ? {} : { requirements: NEWEST_SET }), checks: ['crud/create-then-read', 'filter/not'] }),
  });
  const wrong = { verdict: 'fail', expected: 'a', observed: 'b' } as const;
  const failing = aResult({ checkId: 'filter/not', requirement: 'FOP-NEQ', ...wrong });
  const waits = aResult({ checkId: 'filter/waits', verdict: 'blocked', blockedBy: 'filter/not|alpha' });
  const results = [aResult({}), failing, ...(baseline === undefined ? [] : [waits])];
  const report = judge(aRun({ header, results, ...defined({ baseline }) }), cellOf);
  return { report, line: { ...lineOf(report), requirements: isNew ? '2099.1' : NEWEST_SET } };
}

describe('a week in which the set of requirements changes on the fourth night', () => {
  const week = [1, 2, 3, 4, 5, 6, 7].map((day) => nightOf(day, day >= 4));
  const lines = week.map(({ line }) => line);

  it('is green as long as the run is judged by the older set, and tells what it left out', () => {
    const { exit, conformance } = week[0]?.report ?? {};
    expect(exit?.code).toBe(0);
    const reason = `its requirement is not in the set ${NEWEST_SET}; otherwise: fail`;
    const result = conformance?.results.find(({ requirement }) => requirement === 'FOP-NEQ');
    expect(result).toMatchObject({ verdict: 'info', reason });
  });

  it('is no new failure of the history, as it would be without the change', () => {
    const told = historyReport({ lines, skipped: [] }, {});
    const report = { ...told, failingCauses: told.failingCauses.map(({ newRequirement: _, ...cause }) => cause) };
    const nights = report.nights.slice(3, 4);
    const until = (one: typeof told) => failures({ ...one, nights }, { new: true, worse: false });
    expect(until(told)).toEqual([]);
    expect(until(report)).toHaveLength(1);
    expect(renderHistoryMarkdown(told)).toContain('FOP-NEQ is new in the set');
  });

  it('is green with a baseline of the older set too, and says how to accept what is new', () => {
    const least = { shown: 31, of: 31, undecided: 0, requirements: NEWEST_SET };
    const { report } = nightOf(4, true, { file: 'expected.yaml', entries: [], least });
    const { answer, exit, conformance } = report;
    expect(statementText(answer.sentence)).toEqual(
      expect.stringMatching(/^Nothing new: 1 failure of a requirement new in the suite: .* \(1 result\)$/),
    );
    expect(exit.reasons.map(({ code }) => code)).toEqual([0]);
    expect(answer.next).toMatchObject([{ text: 'accept what is new in the suite' }]);
    expect(answer.next[0]?.args.slice(-2)).toEqual(['--update-baseline', 'expected.yaml']);
    expect(conformance?.results.map(({ known }) => known?.outcome)).toEqual([
      ...[undefined, 'new-requirement', 'consequence'],
    ]);
    expect(renderJunit(report)).toMatch(/failures="0" errors="0"/);
    expect(annotations(report, [])).toEqual([]);
    expect(failureLines(report, [], pc.createColors(false))).toEqual([]);
    const inRow = conformance?.families.find(({ name }) => name === 'alpha');
    expect(inRow && resourceWord(inRow, conformance?.results ?? [])).toBe('new in the suite');
    // A baseline that does not say by which set it was written knows of no later one.
    const { requirements: _, ...bare } = least;
    expect(nightOf(4, true, { file: 'expected.yaml', entries: [], least: bare }).report.exit.code).toBe(1);
    expect(nightOf(4, true).report.exit.code).toBe(1);
  });

  it('is told by a comparison of two nights, and makes neither worse', () => {
    const compared = compareConformance(week[2]?.report as Report, week[3]?.report as Report);
    expect(compared?.newlyFailing).toEqual([]);
    expect(compared?.newRequirements).toMatchObject([{ before: 'info', after: 'fail' }]);
    if (compared === null) throw new Error('nothing compared');
    expect(documentLines([conformanceSection(compared)]).join('\n')).toContain('failing for new requirements alone: 1');
  });
});
