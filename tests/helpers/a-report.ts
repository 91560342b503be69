import { judge } from '../../lib/judge/judge.ts';
import type { ExchangeRecord } from '../../lib/records/conformance.ts';
import type { RunRecords } from '../../lib/records/folder/reader.ts';
import type { Report } from '../../lib/records/report.ts';
import { renderCtrf } from '../../reports/render/test-results.ts';
import { aCell, aCellRecord, aLatency, cellOf } from './a-cell-report.ts';
import { aHeader, anExchange, aResult, aRun, fullResults, given } from './a-run.ts';

/** Report of a whole conformance run, but for these records of it. */
export const judgedRun = (overrides: Partial<RunRecords> = {}): Report => judge(aRun(overrides), cellOf);

interface Ctrf {
  readonly summary: Readonly<Record<string, number>>;
  readonly tests: readonly (Readonly<Record<'name' | 'status', string>> & {
    readonly rawStatus?: string;
    readonly duration: number;
    readonly labels?: object;
  })[];
}

/** The results of `ctrf.json`, as a program reads them. */
export const ctrfOf = (report: Report): Ctrf => JSON.parse(renderCtrf(report)).results;

/** A run of both parts with one of every verdict, one cell of every verdict, a repeated cell and a hostile text. */
export function aMixedRun(overrides: Partial<RunRecords> = {}): RunRecords {
  const hostile = 'xbeta <script>alert(1)</script></template><!-- \u202e \u0000 \u2028';
  const one = { family: 'alpha', requirement: 'LST-NEXT', checkId: 'list/next' } as const;
  const results = [
    ...fullResults(),
    aResult({
      ...{ ...one, verdict: 'fail', variant: 'size 1', expected: 'all 5 records', observed: hostile },
      difference: { missing: ['a'], extra: [hostile] },
      failure: { kind: 'records', operation: 'list', subject: 'pages' },
      evidence: ['x1', 'x2'],
    }),
    aResult({
      ...{ ...one, verdict: 'blocked', checkId: 'list/after' },
      ...{ blockedBy: 'list/next|alpha|size 1', reason: 'paging does not work' },
    }),
    aResult({
      ...one,
      checkId: 'list/many-ways',
      pairs: {
        ...{ factors: 24, levels: 138, possible: 8770, exercised: 8678 },
        missing: { 'update answered 400: name … already exists': 3, [`no record holds ${hostile}`]: 89 },
      },
    }),
    aResult({ ...one, verdict: 'blocked', checkId: 'list/alone', reason: 'create was refused' }),
    aResult({ ...one, verdict: 'inconclusive', checkId: 'list/few', reason: 'only one record is there' }),
    aResult({ ...one, verdict: 'error', checkId: 'list/broken', reason: 'the connection was reset' }),
    aResult({
      ...{ ...one, verdict: 'warn', checkId: 'atom/mixture', requirement: 'ATOM-1', level: 'implied' },
      observed: 'two versions in one answer',
    }),
    aResult({
      ...{ ...one, verdict: 'info', checkId: 'gap/errors', requirement: 'G-12', level: 'gap' },
      observations: { status: 404 },
    }),
    aResult({
      ...{ ...one, verdict: 'not-testable', checkId: 'list/pair' },
      ...{ reason: 'all records hold one name', needs: 'a second record with another name' },
    }),
    aResult({
      ...{ ...one, verdict: 'not-applicable', family: 'beta', checkId: 'crud/create' },
      reason: 'the family has no create',
    }),
  ];
  const exchanges = [
    anExchange(),
    anExchange({ id: 'x2', path: "/ers/config/alpha?filter=name.EQ.o'clock", responseBody: hostile }),
  ];
  const cells = [
    aCellRecord({ operation: 'apply-by-mac', attempt: 1 }),
    aCellRecord({ operation: 'apply-by-mac', attempt: 2 }),
    aCellRecord({ operation: 'clear-by-mac' }),
    aCellRecord({ operation: 'apply-by-ip' }),
  ];
  const header = aHeader({
    command: 'verify',
    options: given({ profiles: ['60k'], operations: ['apply-by-mac', 'clear-by-mac', 'apply-by-ip'] }),
  });
  return aRun({ header, results, exchanges, cells, ...overrides });
}

/** The report of a run whose cells are met, violated and invalid by their operation. */
export function aMixedReport(records: RunRecords = aMixedRun()): Report {
  const unserved = aLatency({ count: 4688, unserved: 312, p95Ms: null, p99Ms: null, p999Ms: null });
  return judge(records, (facts) => {
    const { operation, attempt } = facts;
    const cell = aCell({ facts, operation, attempt });
    const reasons = ['312 arrivals found no free connection'];
    if (operation === 'clear-by-mac')
      return { ...cell, verdict: 'violated', dropped: 312, started: 4688, reasons, responseTime: unserved };
    if (operation === 'apply-by-ip' || attempt === 1)
      return { ...cell, verdict: 'invalid', reasons: ['k6 ended with code 107'] };
    return cell;
  });
}

/** A run as large as a nightly one: 5,000 results of which 20 failed, each with an exchange whose body is huge. */
export function aLargeRun(): { readonly report: Report; readonly exchanges: readonly ExchangeRecord[] } {
  const results = Array.from({ length: 5_000 }, (_, n) =>
    aResult({
      checkId: `list/check-${n % 250}`,
      variant: `name.${n}`,
      ...(n % 250 === 0
        ? { verdict: 'fail' as const, expected: `expected ${n}`, observed: 'x'.repeat(100_000), evidence: [`x${n}`] }
        : {}),
    }),
  );
  const exchanges = results
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ evidence }) => anExchange({ id: evidence[0] ?? '', responseBody: 'y'.repeat(10_000_000) }));
  return { report: judgedRun({ results }), exchanges };
}
