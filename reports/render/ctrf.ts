import { defined } from '../../lib/defined.ts';
import { capacityText } from '../../lib/judge/capacity/details.ts';
import { loadCellName } from '../../lib/judge/cell/name.ts';
import { baselineUpkeep, isExpected, knownWords } from '../../lib/judge/conformance/baseline/known.ts';
import { secondTryWords } from '../../lib/judge/conformance/retry.ts';
import type { CapacityAnswer } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report, ResultReport } from '../../lib/records/report.ts';
import type { CellVerdict, Verdict } from '../../lib/records/vocabulary.ts';
import { excerpt, inert } from '../../lib/text.ts';
import { countsAsFailure, isStrict } from '../model/strict.ts';
import { caseName } from './junit.ts';

type Status = 'passed' | 'failed' | 'skipped' | 'other';

const STATUS: Readonly<Record<Verdict | CellVerdict, Status>> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'other',
  info: 'other',
  'not-applicable': 'skipped',
  'not-testable': 'skipped',
  blocked: 'other',
  inconclusive: 'other',
  error: 'failed',
  met: 'passed',
  violated: 'failed',
  invalid: 'other',
};

function statusOf(result: ResultReport, strict: boolean): Status {
  if (isExpected(result)) return result.verdict === 'warn' && !strict ? 'other' : 'skipped';
  return countsAsFailure(result, strict) ? 'failed' : STATUS[result.verdict];
}

function resultTest(result: ResultReport, strict: boolean) {
  const { family, requirement, level, verdict, reason, needs, expected, observed, known } = result;
  const difference = expected === undefined ? reason : `expected ${expected}; observed ${observed ?? 'something else'}`;
  const again = secondTryWords(result);
  const said = [
    ...(again === undefined ? [] : [again]),
    ...(known === undefined ? [] : [knownWords(known)]),
    ...(difference === undefined ? [] : [difference]),
    ...(needs === undefined ? [] : [`it needs ${needs}`]),
  ];
  return {
    name: caseName(result),
    status: statusOf(result, strict),
    rawStatus: verdict,
    duration: Math.round(result.durationMs),
    suite: [family],
    type: 'conformance',
    labels: { requirement, level, family },
    ...(said.length === 0 ? {} : { message: excerpt(said.join('; '), 2_000) }),
    ...(result.flaky === true ? { flaky: true } : {}),
    ...defined({ retries: result.retry?.verdict && 1 }),
    ...defined({ extra: known && { known } }),
  };
}

function cellTest(cell: CellReport) {
  const { profile, operation, verdict, achievedPerSecond } = cell;
  return {
    name: loadCellName(cell),
    status: STATUS[verdict],
    rawStatus: verdict,
    duration: Math.round(cell.facts.plan.durationSeconds * 1000),
    suite: ['load'],
    type: 'load',
    labels: { profile, operation, achievedPerSecond },
    ...(cell.reasons.length === 0 ? {} : { message: excerpt(cell.reasons.join('; '), 2_000) }),
    ...(cell.attempt > 1 ? { retries: cell.attempt - 1 } : {}),
  };
}

/** A cell that was not run, because the target lacks what it needs. */
function notRunTest({ profile, operation, reason }: NonNullable<NonNullable<Report['load']>['notRun']>[number]) {
  const status: Status = 'skipped';
  const labels = { profile, operation };
  return {
    ...{ name: `${profile} ${operation}`, status, rawStatus: 'not-run', duration: 0, suite: ['load'] },
    ...{ type: 'load', labels, message: excerpt(reason, 2_000) },
  };
}

/** Whether the list of expected failures is true still; none where there is no list. */
function baselineTests(report: Report) {
  const upkeep = baselineUpkeep(report);
  if (upkeep === undefined) return [];
  return [
    { name: 'expected failures', status: 'passed', duration: 0, suite: ['baseline'], type: 'baseline', extra: upkeep },
  ];
}

function capacityTest(answer: CapacityAnswer) {
  const { profile, operation, verdict, heldPerSecond, headroom, atLeast } = answer;
  return {
    name: `capacity ${profile} ${operation}`,
    status: STATUS[verdict],
    rawStatus: verdict,
    duration: 0,
    suite: ['capacity'],
    type: 'load',
    labels: { profile, operation, atLeast, ...(heldPerSecond === null ? {} : { heldPerSecond, headroom }) },
    message: excerpt(capacityText(answer), 2_000),
  };
}

/** `ctrf.json`: the Common Test Report Format, with our own verdicts as `rawStatus`. */
export function renderCtrf(report: Report): string {
  const { run, end, conformance, load, capacity } = report;
  const tests = [
    ...(conformance?.results ?? []).map((result) => resultTest(result, isStrict(report))),
    ...(load?.cells ?? []).map(cellTest),
    ...(load?.notRun ?? []).map(notRunTest),
    ...(capacity?.answers ?? []).map(capacityTest),
    ...baselineTests(report),
  ];
  const number = (status: Status) => tests.filter((test) => test.status === status).length;
  const start = Date.parse(run.startedAt);
  const document = {
    reportFormat: 'CTRF',
    specVersion: '1.0.0',
    timestamp: end?.finishedAt ?? run.startedAt,
    generatedBy: run.tool.name,
    results: {
      tool: { name: run.tool.name, version: run.tool.version },
      summary: {
        tests: tests.length,
        passed: number('passed'),
        failed: number('failed'),
        skipped: number('skipped'),
        pending: 0,
        other: number('other'),
        start,
        stop: end === null ? start : Date.parse(end.finishedAt),
        extra: { verdict: report.verdict, exit: report.exit, complete: report.complete, runId: run.runId },
      },
      tests,
    },
  };
  return `${JSON.stringify(inert(document), null, 2)}\n`;
}
