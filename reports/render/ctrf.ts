import { defined } from '../../lib/defined.ts';
import { isExpected, knownWords } from '../../lib/judge/conformance/baseline/known.ts';
import { secondTryWords } from '../../lib/judge/conformance/retry.ts';
import { observedText } from '../../lib/records/conformance.ts';
import type { Report, ResultReport } from '../../lib/records/report.ts';
import { excerpt } from '../../lib/text.ts';
import { type Case, casesOf } from '../model/cases.ts';
import { ctrfText, type Status } from './ctrf-document.ts';

const LONGEST = 2_000;

const OTHER: ReadonlySet<string> = new Set(['warn', 'info', 'blocked', 'inconclusive', 'invalid']);

function statusOf({ outcome, verdict, result }: Case): Status {
  if (outcome === 'failure') return 'failed';
  if (outcome === 'error') return OTHER.has(verdict) ? 'other' : 'failed';
  if (outcome === 'passed') return OTHER.has(verdict) ? 'other' : 'passed';
  return OTHER.has(verdict) && !(result !== undefined && isExpected(result)) ? 'other' : 'skipped';
}

function saidOf(result: ResultReport): string {
  const { reason, needs, expected, known } = result;
  const difference =
    expected === undefined ? reason : `expected ${expected}; observed ${observedText(result) ?? 'something else'}`;
  const [again, baseline] = [secondTryWords(result), known && knownWords(known)];
  const said = [again, baseline, difference, needs && `it needs ${needs}`];
  return said.filter((words) => words !== undefined).join('; ');
}

function test(one: Case) {
  const { suite, name, verdict, seconds, labels, result, attempt = 1, upkeep } = one;
  const message = result === undefined ? (one.message ?? '') : saidOf(result);
  const type = result === undefined ? (suite === 'capacity' ? 'load' : suite) : 'conformance';
  return {
    name: suite === 'capacity' ? `capacity ${name}` : name,
    status: statusOf(one),
    ...(suite === 'baseline' ? {} : { rawStatus: verdict }),
    duration: Math.round(seconds * 1000),
    suite: [suite],
    type,
    ...(Object.keys(labels).length === 0
      ? {}
      : { labels: result === undefined ? labels : { ...labels, family: suite } }),
    ...(message === '' ? {} : { message: excerpt(message, LONGEST) }),
    ...(result?.flaky === true ? { flaky: true } : {}),
    ...defined({ retries: attempt > 1 ? attempt - 1 : result?.retry?.verdict && 1 }),
    ...defined({ extra: upkeep ?? (result?.known && { known: result.known }) }),
  };
}

/** `ctrf.json`: the Common Test Report Format, with our own verdicts as `rawStatus`. */
export function renderCtrf(report: Report): string {
  const { verdict, exit, complete, run, end } = report;
  const start = Date.parse(run.startedAt);
  return ctrfText({
    timestamp: end?.finishedAt ?? run.startedAt,
    version: run.tool.version,
    start,
    stop: end === null ? start : Date.parse(end.finishedAt),
    extra: { verdict, exit, complete, runId: run.runId },
    tests: casesOf(report).map(test),
  });
}
