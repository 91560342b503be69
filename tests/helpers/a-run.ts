import { recordedOptions } from '../../lib/option.ts';
import type { ConformanceResult, ExchangeRecord } from '../../lib/records/conformance.ts';
import type { RunRecords } from '../../lib/records/folder/reader.ts';
import { openRunFolder } from '../../lib/records/folder/writer.ts';
import { type Catalogue, RECORD_VERSION, type RunEnd, type RunHeader } from '../../lib/records/run.ts';
import { RunOptions } from '../../lib/records/run-options.ts';

/** A result that passed with a witness. */
export function aResult(overrides: Partial<ConformanceResult> = {}): ConformanceResult {
  return {
    ...{ checkId: 'crud/create-then-read', family: 'alpha', title: 'a created record can be read' },
    ...{ requirement: 'OP-alpha-C', level: 'stated', verdict: 'pass', witness: { read: 1 }, evidence: [] },
    durationMs: 12,
    ...overrides,
  };
}

export function anExchange(overrides: Partial<ExchangeRecord> = {}): ExchangeRecord {
  return {
    ...{ id: 'x1', at: '2026-01-31T02:00:01.000Z', family: 'alpha', operation: 'read' },
    ...{ method: 'GET', path: '/ers/config/alpha/1', requestHeaders: [['Accept', 'application/json']], status: 200 },
    responseHeaders: [['Content-Type', 'application/json']],
    ...{ responseBody: '{"Alpha":{"id":"1","name":"one"}}', bytes: 33, durationMs: 4.2 },
    ...overrides,
  };
}

/** Two made-up families: one that is written, one that is read; 7 operations, 40 filter cells, 4 sort cells. */
export function aCatalogue(overrides: Partial<Catalogue> = {}): Catalogue {
  const operations = [
    { name: 'read', code: 'R', path: '/{id}', mutates: false },
    { name: 'list', code: 'L', path: '', mutates: false },
    { name: 'create', code: 'C', path: '', mutates: true },
    { name: 'delete', code: 'D', path: '/{id}', mutates: true },
    { name: 'version', code: 'V', path: '/versioninfo', mutates: false },
  ];
  const names = { filters: ['name'], sorts: ['name'] };
  const families = [
    { name: 'alpha', versions: ['3.0.0'], operations: operations.map(({ name }) => name), ...names },
    { name: 'beta', versions: ['3.1.1'], operations: ['list', 'version'], ...names },
  ];
  const code = new Map(operations.map((operation) => [operation.name, operation.code]));
  type Requirement = Catalogue['requirements'][number];
  const of = (id: string, section: string, text: string, level: Requirement['level'] = 'stated'): Requirement => ({
    ...{ id, section, text, level },
  });
  return {
    requirements: [
      of('LST-NEXT', 'List query parameters', 'nextPage.href addresses the next page'),
      of('ATOM-1', 'Operations per family', 'a reader sees one version', 'implied'),
      of('G-12', 'Errors', 'not shown: error bodies', 'gap'),
      { ...of('LIM-ANC', 'Limits', 'each ANC operation holds 250 per second'), untestable: 'proven by load' },
      ...families.flatMap(({ name, operations: ops }) =>
        ops.map((op) => of(`OP-${name}-${code.get(op)}`, 'Operations per family', `${name}: ${op}`)),
      ),
    ],
    families,
    operators: ['EQ', 'NEQ', 'GT', 'LT', 'STARTSW', 'NSTARTSW', 'ENDSW', 'NENDSW', 'CONTAINS', 'NCONTAINS'],
    operations,
    anc: {
      operations: [
        { name: 'apply-by-mac', specName: 'apply by MAC address' },
        { name: 'apply-policy', specName: 'apply policy', note: 'on the wire it is apply by MAC address' },
      ],
      profiles: [
        { name: '60k', perSecond: 250 },
        { name: '500k', perSecond: 250, note: 'the publisher says 9 nodes for this size' },
      ],
    },
    checks: ['crud/create-then-read'],
    ...overrides,
  };
}

/** Passing results that exercise every planned cell of a catalogue. */
export function fullResults(catalogue: Catalogue = aCatalogue()): ConformanceResult[] {
  const code = new Map(catalogue.operations?.map((operation) => [operation.name, operation.code]));
  return catalogue.families.flatMap(({ name: family, operations, filters, sorts }) => [
    ...operations.map((cell) =>
      aResult({
        ...{ checkId: `crud/${cell}`, family, title: `${cell} works`, requirement: `OP-${family}-${code.get(cell)}` },
        covers: [{ kind: 'operation', cell: `${family}.${cell}` }],
      }),
    ),
    ...filters.flatMap((field) =>
      catalogue.operators.map((operator) => {
        const cell = `${field}.${operator}`;
        return aResult({
          ...{ checkId: 'filter/operator', family, variant: cell },
          ...{ title: `${operator} filters`, requirement: `FOP-${operator}` },
          covers: [{ kind: 'filter', cell: `${family}.${cell}` }],
          witness: { matched: 2, unmatched: 3 },
        });
      }),
    ),
    ...sorts.flatMap((field) =>
      ['asc', 'dsc'].map((order) => {
        const cell = `${field}.${order}`;
        return aResult({
          ...{ checkId: 'sort/order', family, variant: cell, title: 'the list is ordered', requirement: 'LST-SORT' },
          covers: [{ kind: 'sort', cell: `${family}.${cell}` }],
          witness: { records: 5 },
        });
      }),
    ),
  ]);
}

export const given = (options: RunOptions): RunHeader['options'] => recordedOptions(RunOptions, options);

export function aHeader(overrides: Partial<RunHeader> = {}): RunHeader {
  return {
    recordVersion: RECORD_VERSION,
    ...{ runId: '20260131-020000-abcd', command: 'conformance', tool: { name: 'ers-harness', version: '0.1.0' } },
    ...{ startedAt: '2026-01-31T02:00:00.000Z', seed: 7, mode: 'full' },
    target: { baseUrl: 'https://policy.example.com:9060', embedded: false, insecure: false },
    options: {},
    environment: { node: 'v20.11.0', system: 'linux 6.1 x64', processor: 'an example', cores: '4' },
    specDigest: 'b30c68a9',
    ...overrides,
  };
}

export function anEnd(overrides: Partial<RunEnd> = {}): RunEnd {
  return {
    ...{ finishedAt: '2026-01-31T02:04:12.000Z', durationMs: 252_000, faults: [] },
    requests: { GET: 1700, POST: 100, DELETE: 104 },
    cleanup: { created: 132, removed: 132, residue: [] },
    ...overrides,
  };
}

/** A whole conformance run in which everything passed. */
export function aRun(overrides: Partial<RunRecords> = {}): RunRecords {
  const catalogue = overrides.catalogue ?? aCatalogue();
  return {
    header: aHeader(),
    catalogue,
    dialect: { 'page.first': { question: 'number of the first page', answer: 1, evidence: ['x1'] } },
    ...{ results: fullResults(catalogue), exchanges: [anExchange()], journal: [], cells: [], end: anEnd(), damage: [] },
    ...overrides,
  };
}

/** Writes a run of these records into a folder. */
export function writeRun(folder: string, records: Partial<RunRecords> = {}, writer = openRunFolder(folder)): void {
  const { header = aHeader(), catalogue, dialect, results, exchanges, histories, journal, cells, end } = records;
  writer.header(header);
  if (catalogue !== undefined) writer.catalogue(catalogue);
  if (dialect !== undefined) writer.dialect(dialect);
  results?.forEach(writer.result);
  exchanges?.forEach(writer.exchange);
  histories?.forEach(writer.history);
  journal?.forEach(writer.journal);
  for (const { facts, samples } of cells ?? []) if (samples !== null) writer.cell(facts, samples);
  if (end) writer.end(end);
  writer.close();
}
