import { describe, expect, it } from 'vitest';
import { judge } from '../../../lib/judge/judge.ts';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import type { RunRecords } from '../../../lib/records/folder/reader.ts';
import { Report } from '../../../lib/records/report.ts';
import { cellOf } from '../../helpers/a-cell-report.ts';
import { aCatalogue, aHeader, anEnd, aResult, aRun, fullResults, given } from '../../helpers/a-run.ts';

const judged = (records: RunRecords): Report => Report.parse(judge(records, cellOf));

/** A conformance run whose results are the passing ones with some replaced. */
function withResults(change: (results: ConformanceResult[]) => ConformanceResult[]): RunRecords {
  return aRun({ results: change(fullResults()) });
}

const replaced = (at: number, overrides: Partial<ConformanceResult>) =>
  withResults((results) => results.map((result, index) => (index === at ? { ...result, ...overrides } : result)));

interface Case {
  readonly name: string;
  readonly records: RunRecords;
  readonly verdict: Report['verdict'];
  readonly code: number;
  readonly conformance: NonNullable<Report['conformance']>['verdict'];
}

const inconclusive: Partial<ConformanceResult> = { verdict: 'inconclusive', reason: 'no match was seen', covers: [] };

const warned = withResults((all) => all.map((one) => ({ ...one, verdict: 'warn' })));
const CASES: readonly Case[] = [
  { name: 'everything passed', records: aRun(), verdict: 'proven', code: 0, conformance: 'conformant' },
  {
    name: 'a stated requirement failed',
    records: replaced(0, { verdict: 'fail' }),
    verdict: 'disproven',
    code: 1,
    conformance: 'non-conformant',
  },
  {
    name: 'an implied requirement was violated',
    records: replaced(0, { verdict: 'warn' }),
    verdict: 'proven',
    code: 0,
    conformance: 'conformant',
  },
  {
    name: 'one cell of forty is inconclusive',
    records: replaced(8, inconclusive),
    verdict: 'inconclusive',
    code: 4,
    conformance: 'inconclusive',
  },
  {
    name: 'a check ended in an error',
    records: replaced(8, { verdict: 'error', covers: [] }),
    verdict: 'inconclusive',
    code: 4,
    conformance: 'inconclusive',
  },
  {
    name: 'there are no results',
    records: withResults(() => []),
    verdict: 'not-tested',
    code: 3,
    conformance: 'not-tested',
  },
  {
    name: 'nothing applied',
    records: withResults((all) => all.map((one) => ({ ...one, verdict: 'not-applicable', reason: 'older' }))),
    verdict: 'not-tested',
    code: 3,
    conformance: 'not-tested',
  },
  {
    name: 'everything was only recorded',
    records: withResults((all) => all.map((one) => ({ ...one, verdict: 'info' }))),
    verdict: 'not-tested',
    code: 3,
    conformance: 'not-tested',
  },
  { name: 'every check warned', records: warned, verdict: 'proven', code: 0, conformance: 'conformant' },
  {
    name: 'everything is inconclusive',
    records: withResults((all) => all.map((one) => ({ ...one, ...inconclusive }))),
    verdict: 'not-tested',
    code: 3,
    conformance: 'not-tested',
  },
  {
    name: 'passes name no cell',
    records: withResults((all) => all.map((one) => ({ ...one, covers: [] }))),
    verdict: 'inconclusive',
    code: 4,
    conformance: 'inconclusive',
  },
  {
    name: 'one tenth of the cells is missing',
    records: withResults((all) => all.slice(0, 27)),
    verdict: 'inconclusive',
    code: 4,
    conformance: 'inconclusive',
  },
  {
    name: 'the last record is missing',
    records: aRun({ end: null }),
    verdict: 'inconclusive',
    code: 4,
    conformance: 'conformant',
  },
  {
    name: 'the last record is missing and nothing was recorded',
    records: aRun({ end: null, results: [] }),
    verdict: 'not-tested',
    code: 3,
    conformance: 'not-tested',
  },
  {
    name: 'a line cannot be read',
    records: aRun({ damage: ['records/results.ndjson, line 3: cut'] }),
    verdict: 'inconclusive',
    code: 4,
    conformance: 'conformant',
  },
  {
    name: 'the catalogue is missing',
    records: aRun({ catalogue: { ...aCatalogue(), families: [], requirements: [] }, results: fullResults() }),
    verdict: 'inconclusive',
    code: 4,
    conformance: 'inconclusive',
  },
  {
    name: 'something was left behind',
    records: aRun({
      end: anEnd({ cleanup: { created: 2, removed: 1, residue: [{ family: 'alpha', id: '1', command: 'x' }] } }),
    }),
    verdict: 'residue',
    code: 5,
    conformance: 'conformant',
  },
  {
    name: 'the harness had a fault',
    records: aRun({ end: anEnd({ faults: [{ kind: 'harness', code: 'unexpected', message: 'boom' }] }) }),
    verdict: 'fault',
    code: 70,
    conformance: 'conformant',
  },
  {
    name: 'the target was unreachable',
    records: aRun({
      results: [],
      end: anEnd({ faults: [{ kind: 'target', code: 'unreachable', message: 'refused' }] }),
    }),
    verdict: 'not-tested',
    code: 3,
    conformance: 'not-tested',
  },
  {
    name: 'Ctrl-C ended it',
    records: aRun({ end: anEnd({ signal: 'SIGINT' }) }),
    verdict: 'interrupted',
    code: 130,
    conformance: 'conformant',
  },
  {
    name: 'a termination signal ended it',
    records: aRun({ end: anEnd({ signal: 'SIGTERM' }) }),
    verdict: 'interrupted',
    code: 143,
    conformance: 'conformant',
  },
  {
    name: 'a failure and a residue come together',
    records: aRun({
      results: [...fullResults(), aResult({ verdict: 'fail' })],
      end: anEnd({ cleanup: { created: 1, removed: 0, residue: [{ family: 'alpha', id: '1', command: 'x' }] } }),
    }),
    verdict: 'residue',
    code: 5,
    conformance: 'non-conformant',
  },
];

describe('the verdict of a conformance run', () => {
  it.each(CASES)('is $verdict with exit $code when $name', ({ records, verdict, code, conformance }) => {
    const report = judged(records);
    expect([report.verdict, report.exit.code, report.conformance?.verdict]).toEqual([verdict, code, conformance]);
    expect(report.exit.reasons.length > 0).toBe(code !== 0);
  });

  it('fails on a warning when the run is strict', () => {
    const header = aHeader({ options: given({ strict: true }) });
    const report = judged({ ...replaced(0, { verdict: 'warn' }), header });
    expect([report.exit.code, report.conformance?.verdict]).toEqual([1, 'non-conformant']);
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
    const journal = [
      { ...entry, event: 'intent' as const, name: 'a' },
      { ...entry, event: 'created' as const, id: '1' },
      { ...entry, event: 'created' as const, id: '2' },
      { ...entry, event: 'removed' as const, id: '2' },
    ];
    const report = judged(aRun({ end: null, journal }));
    expect(report.cleanup).toMatchObject({ source: 'journal', created: 2, removed: 1, residue: [{ id: '1' }] });
    expect([report.complete, report.exit.code]).toEqual([false, 5]);
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
