import { describe, expect, it } from 'vitest';
import type { AncOperationName } from '../../../lib/contract/anc.ts';
import { untestedLines } from '../../../lib/judge/conformance/unproven.ts';
import { judge } from '../../../lib/judge/judge.ts';
import { type Ending, statementText } from '../../../lib/records/answer.ts';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import type { RunRecords } from '../../../lib/records/folder/reader.ts';
import { Report } from '../../../lib/records/report.ts';
import type { RunEnd } from '../../../lib/records/run.ts';
import { aCell, aCellRecord, cellOf } from '../../helpers/a-cell-report.ts';
import { judgedRun } from '../../helpers/a-report.ts';
import { aCatalogue, aHeader, anEnd, aResult, aRun, fullResults, given } from '../../helpers/a-run.ts';

const judged = (records: RunRecords): Report => Report.parse(judge(records, cellOf));

/** A run whose results are the passing ones with some changed. */
const replaced = (places: number | readonly number[], changes: Partial<ConformanceResult>) =>
  aRun({ results: fullResults().map((one, at) => ([places].flat().includes(at) ? { ...one, ...changes } : one)) });
const reasonsOf = ({ exit }: Report) => exit.reasons.map(({ text }) => text);

const inconclusive: Partial<ConformanceResult> = { verdict: 'inconclusive', reason: 'no match was seen', covers: [] };

const all = (change: Partial<ConformanceResult>) => replaced([...fullResults().keys()], change);
const ended = (end: Partial<RunEnd>, results = fullResults()) => aRun({ results, end: anEnd(end) });
const residue = [{ family: 'alpha', id: '1', command: 'x' }];
const failing = [...fullResults(), aResult({ verdict: 'fail' })];
const LEFT = { cleanup: { created: 2, removed: 1, residue } };
const UNREACHABLE = { faults: [{ kind: 'target', code: 'unreachable', message: 'refused' } as const] };
const BROKEN = { faults: [{ kind: 'harness', code: 'unexpected', message: 'boom' } as const] };
const bare = { ...aCatalogue(), families: [], requirements: [] };

/** Runs with what they come to: ending, exit code, verdict of conformance. */
const CASES: readonly (readonly [Ending, number, string, name: string, RunRecords])[] = [
  ['met', 0, 'conformant', 'everything passed', aRun()],
  ['met', 0, 'conformant', 'an implied requirement was violated', replaced(0, { verdict: 'warn' })],
  ['met', 0, 'conformant', 'every check warned', all({ verdict: 'warn' })],
  ['failed', 1, 'non-conformant', 'a stated requirement failed', replaced(0, { verdict: 'fail' })],
  ['unclear', 4, 'inconclusive', 'one cell of forty is inconclusive', replaced(8, inconclusive)],
  ['unclear', 4, 'inconclusive', 'a check ended in an error', replaced(8, { verdict: 'error', covers: [] })],
  ['unclear', 4, 'inconclusive', 'passes name no cell', all({ covers: [] })],
  ['unclear', 4, 'inconclusive', 'a tenth of the cells is missing', aRun({ results: fullResults().slice(0, 27) })],
  ['unclear', 4, 'inconclusive', 'the catalogue is missing', aRun({ catalogue: bare, results: fullResults() })],
  ['not-tested', 3, 'not-tested', 'there are no results', aRun({ results: [] })],
  ['not-tested', 3, 'not-tested', 'nothing applied', all({ verdict: 'not-applicable', reason: 'older' })],
  ['not-tested', 3, 'not-tested', 'everything was only recorded', all({ verdict: 'info' })],
  ['not-tested', 3, 'not-tested', 'everything is inconclusive', all(inconclusive)],
  ['crashed', 3, 'not-tested', 'neither an end nor a result was recorded', aRun({ end: null, results: [] })],
  ['not-tested', 3, 'not-tested', 'the target was unreachable', ended(UNREACHABLE, [])],
  ['crashed', 4, 'conformant', 'the last record is missing', aRun({ end: null })],
  ['unclear', 4, 'conformant', 'a line cannot be read', aRun({ damage: ['records/results.ndjson, line 3: cut'] })],
  ['left', 5, 'conformant', 'something was left behind', ended(LEFT)],
  ['crashed', 70, 'conformant', 'the harness had a fault', ended(BROKEN)],
  ['interrupted', 130, 'conformant', 'Ctrl-C ended it', ended({ signal: 'SIGINT' })],
  ['interrupted', 143, 'conformant', 'a termination signal ended it', ended({ signal: 'SIGTERM' })],
  ['left', 5, 'non-conformant', 'a failure and a residue come together', ended(LEFT, failing)],
];

describe('the verdict of a conformance run', () => {
  it.each(CASES)('is %s with exit %i, and conformance is %s, when %s', (verdict, code, conformance, _name, records) => {
    const report = judged(records);
    expect([report.answer.ending, report.exit.code, report.conformance?.verdict]).toEqual([verdict, code, conformance]);
    const { exit, answer } = report;
    expect(exit.reasons.some((reason) => reason.code !== 0)).toBe(code !== 0);
    const warns = (report.conformance?.counts.warn ?? 0) > 0;
    expect(exit.reasons.some(({ text }) => text.startsWith('warning: '))).toBe(warns);
    expect(statementText(answer.sentence).includes(' passed, with ')).toBe(warns);
  });

  it('says in one sentence what a fault says in several lines', () => {
    const hint = 'one of these gives it:\n  install Go\n  put a k6 on PATH';
    const fault = { kind: 'target', code: 'unreachable', message: 'not found\n', hint } as const;
    const { answer } = judged(ended({ faults: [fault] }, []));
    expect(statementText(answer.sentence)).toBe(
      'Not tested: not found (unreachable): one of these gives it: install Go; put a k6 on PATH',
    );
  });

  it('stays open when a stated requirement was tried and never proven', () => {
    const results = [...fullResults(), aResult({ requirement: 'LST-NEXT', ...inconclusive })];
    const report = judged(aRun({ results }));
    expect(report.exit.code).toBe(4);
    expect(report.exit.reasons[0]?.text).toContain('LST-NEXT');
  });

  it('does not ask for the whole coverage when only some checks were asked for', () => {
    const header = aHeader({ options: given({ checks: ['crud/'] }) });
    expect(judged(aRun({ header, results: [aResult()] })).exit.code).toBe(0);
    expect(judged(aRun({ header, results: [aResult(), aResult(inconclusive)] })).exit.code).toBe(4);
  });

  it('asks only for the families that were asked for', () => {
    const results = fullResults().filter(({ family }) => family === 'beta');
    const report = judged(aRun({ header: aHeader({ options: given({ families: ['beta'] }) }), results }));
    expect([report.exit.code, report.conformance?.coverage.operations.total]).toEqual([0, 2]);
  });

  it('says what a cut run left, from its journal', () => {
    const entry = { at: '2026-01-31T02:00:00.000Z', family: 'alpha', operation: 'create', runId: 'r' } as const;
    const about = (event: 'created' | 'removed', id: string) => ({ ...entry, event, id });
    const intent = { ...entry, event: 'intent' as const, name: 'a' };
    const journal = [intent, about('created', '1'), about('created', '2'), about('removed', '2')];
    const report = judged(aRun({ end: null, journal }));
    expect(report.cleanup).toMatchObject({ source: 'journal', created: 2, removed: 1, residue: [{ id: '1' }] });
    expect([report.complete, report.exit.code]).toEqual([false, 5]);
    expect(report.cleanup.residue[0]?.command).toMatch(/^npx ers-harness sweep --journal runs\/\S+ --base-url https:/);
  });

  it('does not call a run read-only whose load wrote ANC', () => {
    const shown = (command: string, cells: RunRecords['cells']) =>
      judged(aRun({ header: aHeader({ command, mode: 'read-only' }), cells })).answer.notShown.map(statementText)[0];
    expect(shown('conformance', [])).toBe('anything that writes: the run was read-only');
    expect(shown('verify', [aCellRecord()])).toMatch(/^anything that writes, but for the ANC of the load: /);
  });

  it('says that endpoints of a load that was cut may hold its policy, and names sweep', () => {
    const source = { kind: 'range', firstMac: '02:00:00:00:00:00' } as const;
    const wave = (event: 'intent' | 'cleared', offset: number, count: number) => ({
      ...{ at: '2026-01-31T02:00:00.000Z', family: 'ancendpoint', operation: 'apply', runId: 'r', event },
      endpoints: { source, offset, size: 100, seed: 1, count },
    });
    const header = aHeader({ command: 'load' });
    const cut = (...journal: RunRecords['journal']) => judged(aRun({ header, results: [], end: null, journal }));
    const report = cut(wave('intent', 0, 3), wave('intent', 0, 40));
    expect([report.exit.code, report.answer.next[0]?.args[0]]).toEqual([5, 'sweep']);
    expect(statementText(report.answer.sentence)).toBe('Left behind: 40 writes of unknown outcome');
    expect(cut(wave('intent', 0, 3), wave('intent', 100, 9), wave('cleared', 0, 3)).exit.code).toBe(3);
  });

  it('does not hold a failed requirement for proven because another family passes it', () => {
    const report = judged(replaced(5, { verdict: 'fail' }));
    expect(report.conformance?.requirements.find(({ id }) => id === 'FOP-EQ')?.verdict).toBe('fail');
    expect(report.conformance?.families.map(({ verdict }) => verdict)).toEqual(['non-conformant', 'conformant']);
  });
});

describe('the coverage of a run', () => {
  it('counts writes as untestable in read-only mode, and lists them', () => {
    const results = fullResults().filter(({ checkId }) => !['crud/create', 'crud/delete'].includes(checkId));
    const report = judged(aRun({ header: aHeader({ mode: 'read-only' }), results }));
    expect(report.conformance?.coverage.operations).toEqual({ exercised: 5, total: 7, untestable: 2 });
    expect(report.conformance?.coverage.open.map(({ cell }) => cell)).toEqual(['create', 'delete']);
    expect(report.exit.code).toBe(0);
  });

  it('holds a cell for untestable only when every result about it is not applicable', () => {
    const report = judged(replaced(7, { verdict: 'not-applicable', reason: 'a boolean has no order', covers: [] }));
    expect(report.conformance?.coverage.open).toEqual([
      { kind: 'filter', family: 'alpha', cell: 'name.GT', state: 'untestable', reason: 'a boolean has no order' },
    ]);
  });
});

it('stated results that are not decided take exit 0 from the run, and say how many they are, unless the operator accepts as many', () => {
  const run = (allowInconclusive: number) =>
    judged({ ...replaced(8, inconclusive), header: aHeader({ options: given({ allowInconclusive }) }) });
  expect(run(0)).toMatchObject({ exit: { code: 4 }, conformance: { openStated: 1 } });
  expect(reasonsOf(run(0)).join()).toContain('1 result that must hold is unclear');
  expect(run(1)).toMatchObject({ exit: { code: 0 }, conformance: { openStated: 1 } });
});

describe('results that a target cannot show', () => {
  const hidden: Partial<ConformanceResult> = {
    ...{ verdict: 'not-testable', reason: 'one record', needs: 'a second record', covers: [] },
  };

  it('are no reason for a red run, are counted apart, and are listed by what would make them testable', () => {
    const report = judged(replaced([7, 8], hidden));
    expect(report).toMatchObject({ exit: { code: 0, reasons: [] } });
    expect(report.conformance).toMatchObject({ verdict: 'conformant', openStated: 0, counts: { 'not-testable': 2 } });
    expect(untestedLines(report)).toEqual(['a second record: 2 results in alpha (filter/operator)']);
  });

  it('make their cells untestable, with the reason and what they need', () => {
    expect(judged(replaced(7, hidden)).conformance?.coverage.open).toEqual([
      expect.objectContaining({ state: 'untestable', reason: 'one record; it needs a second record' }),
    ]);
  });

  it('prove nothing if they are all that would have read a record', () => {
    const reads = fullResults().flatMap(({ covers }, at) =>
      covers?.some(({ cell }) => cell.endsWith('read')) === true ? [at] : [],
    );
    const report = judged(replaced(reads, hidden));
    expect(reasonsOf(report)).toEqual([expect.stringContaining('no record of any family')]);
    expect([report.exit.code, report.conformance?.verdict]).toEqual([4, 'inconclusive']);
  });
});

type LoadVerdict = NonNullable<Report['load']>['verdict'];

describe('the verdict of a load run', () => {
  const asking = (...operations: AncOperationName[]) =>
    aHeader({ command: 'load', options: given({ profiles: ['60k'], operations }) });
  const header = asking('apply-by-mac');
  const both = asking('apply-by-mac', 'clear-by-mac');
  const UNSEEN = { cells: [{ ...aCellRecord(), samples: null }] };
  const load = (verdict: 'met' | 'violated' | 'invalid', records: Partial<RunRecords> = {}) =>
    judge(aRun({ header, results: [], cells: [aCellRecord()], ...records }), (facts) =>
      aCell({ facts, verdict, reasons: ['why'], achievedPerSecond: verdict === 'violated' ? 200 : 250 }),
    );

  it.each<[LoadVerdict, number, string, 'met' | 'violated' | 'invalid', Partial<RunRecords>]>([
    ['met', 0, 'its cell is met', 'met', {}],
    ['violated', 1, 'its cell is violated', 'violated', {}],
    ['invalid', 4, 'its cell is invalid', 'invalid', {}],
    ['invalid', 4, 'samples are missing, whatever the judge of the cell says', 'met', UNSEEN],
    ['invalid', 4, 'a cell that was asked for left no record', 'met', { header: both }],
    ['not-tested', 3, 'no cell was run', 'met', { cells: [] }],
  ])('is %s with exit %i if %s', (verdict, code, _why, cell, records) => {
    const report = load(cell, records);
    expect([report.load?.verdict, report.exit.code]).toEqual([verdict, code]);
    const next = { met: 'report', violated: 'capacity', invalid: 'load' }[report.load?.cells[0]?.verdict ?? 'met'];
    expect(report.answer.next[0]?.args[0]).toBe(next);
  });

  it('is decided by the second try, and keeps the first', () => {
    const cells = [aCellRecord({ attempt: 2 }), aCellRecord({ attempt: 1 })];
    const report = judge(aRun({ header, results: [], cells }), (facts) =>
      aCell({ facts, attempt: facts.attempt, verdict: facts.attempt === 1 ? 'invalid' : 'met' }),
    );
    expect([report.load?.verdict, report.load?.cells.length, report.load?.repeated[0]?.attempt]).toEqual(['met', 1, 1]);
  });

  it('asks an embedded verify for every profile and operation of the catalogue', () => {
    const verify = aHeader({ command: 'verify', target: { baseUrl: 'embedded', embedded: true, insecure: false } });
    const report = judgedRun({ header: verify, cells: [aCellRecord()] });
    expect(report.exit.reasons.map(({ text }) => text).join()).toContain('3 requested loads not run');
    expect(report.exit.code).toBe(4);
  });
});
