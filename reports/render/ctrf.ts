import { defined } from '../../lib/defined.ts';
import { isExpected, knownWords } from '../../lib/judge/conformance/baseline/known.ts';
import { secondTryWords } from '../../lib/judge/conformance/rollup.ts';
import { present } from '../../lib/present.ts';
import type { Report, ResultReport } from '../../lib/records/report.ts';
import { excerpt, inert } from '../../lib/text.ts';
import { type Case, casesOf, differenceWords } from '../model/cases.ts';

type Status = 'passed' | 'failed' | 'skipped' | 'other';

const LONGEST = 2_000;

const OTHER: ReadonlySet<string> = new Set([
  ...['warn', 'info', 'blocked', 'inconclusive', 'invalid'],
  // Of a run: nothing speaks against the target.
  ...['unclear', 'not-confirmed', 'out-of-time', 'refused'],
]);

function statusOf({ outcome, verdict, result }: Case): Status {
  if (outcome === 'failure') return 'failed';
  if (outcome === 'error') return OTHER.has(verdict) ? 'other' : 'failed';
  if (outcome === 'passed') return OTHER.has(verdict) ? 'other' : 'passed';
  return OTHER.has(verdict) && !(result !== undefined && isExpected(result)) ? 'other' : 'skipped';
}

function saidOf(result: ResultReport): string {
  const { reason, needs, known } = result;
  const [again, baseline] = [secondTryWords(result), known && knownWords(known)];
  return present(again, baseline, differenceWords(result) ?? reason, needs && `it needs ${needs}`).join('; ');
}

function test(one: Case) {
  const { suite, name, verdict, seconds, labels, result, attempt = 1, upkeep } = one;
  const message = result === undefined ? (one.message ?? '') : saidOf(result);
  const type = result === undefined ? (suite === 'capacity' ? 'load' : suite) : 'conformance';
  return {
    name: suite === 'capacity' ? `capacity ${name}` : name,
    status: statusOf(one),
    ...defined({ rawStatus: suite === 'baseline' ? undefined : verdict }),
    ...{ duration: Math.round(seconds * 1000), suite: [suite], type },
    ...defined({
      labels: Object.keys(labels).length === 0 ? undefined : { ...labels, ...(result && { family: suite }) },
      message: message === '' ? undefined : excerpt(message, LONGEST),
      flaky: result?.flaky || undefined,
      retries: attempt > 1 ? attempt - 1 : result?.retry?.verdict && 1,
      extra: upkeep ?? (result?.known && { known: result.known }),
    }),
  };
}

/** `ctrf.json`: the Common Test Report Format, with our own verdicts as `rawStatus`; every text of it is inert. */
export function renderCtrf(report: Report): string {
  const { answer, exit, complete, run, end } = report;
  const tests = casesOf(report).map(test);
  const number = (status: Status) => tests.filter((one) => one.status === status).length;
  const counts = {
    ...{ passed: number('passed'), failed: number('failed'), skipped: number('skipped') },
    ...{ pending: 0, other: number('other') },
  };
  const start = Date.parse(run.startedAt);
  const stop = end === null ? start : Date.parse(end.finishedAt);
  const extra = { ending: answer.ending, exit, complete, runId: run.runId };
  const document = {
    reportFormat: 'CTRF',
    specVersion: '1.0.0',
    timestamp: end?.finishedAt ?? run.startedAt,
    generatedBy: 'ers-harness',
    results: {
      tool: { name: 'ers-harness', version: run.tool.version },
      summary: { tests: tests.length, ...counts, start, stop, extra },
      tests,
    },
  };
  return `${JSON.stringify(inert(document), null, 2)}\n`;
}
