import { XMLBuilder } from 'fast-xml-parser';
import { defined } from '../../lib/defined.ts';
import { groupBy } from '../../lib/group-by.ts';
import { isExpected, knownWords } from '../../lib/judge/conformance/baseline/known.ts';
import { secondTryWords } from '../../lib/judge/conformance/unproven.ts';
import { present } from '../../lib/present.ts';
import type { Report, ResultReport } from '../../lib/records/report.ts';
import { excerpt, inert, visibleText } from '../../lib/text.ts';
import { type Case, casesOf, differenceWords, type Outcome } from '../model/cases.ts';

type XmlAttributes = Readonly<Record<string, string | number>>;

/** One element with its children in order, as `XMLBuilder` takes it. */
type XmlElement = Readonly<Record<string, unknown>>;

/** One element with its attributes and children. White space in attributes becomes a blank: readers would do so anyway. */
function element(name: string, attributes: XmlAttributes, children: readonly XmlElement[] = []): XmlElement {
  const written = Object.entries(attributes).map(([key, value]) => [
    key,
    visibleText(String(value)).replace(/\s/g, ' '),
  ]);
  return { [name]: children, ':@': Object.fromEntries(written) };
}

function textElement(name: string, attributes: XmlAttributes, text: string): XmlElement {
  return element(name, attributes, [{ '#text': visibleText(text) }]);
}

const builder = new XMLBuilder({
  // Children stay where they are, whatever their names.
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  // Each element on a line of its own, for people who compare two files.
  format: true,
  indentBy: '',
  suppressEmptyNode: true,
});

const LONGEST = 300;

/** What a case holds beside its attributes: why it did not pass, or what a passed one has to say. */
function body({ outcome, verdict, message = verdict, detail, labels, result }: Case): readonly XmlElement[] {
  const output = textElement('system-out', {}, detail);
  const said = { message: excerpt(message, LONGEST) };
  switch (outcome) {
    case 'failure':
    case 'error': {
      const type = outcome === 'failure' ? String(labels['requirement'] ?? verdict) : verdict;
      return [textElement(outcome, { type, ...said }, detail)];
    }
    case 'skipped':
      return [element('skipped', said), ...(result !== undefined && isExpected(result) ? [output] : [])];
    case 'passed':
      return result === undefined || result.verdict === 'warn' ? [output] : [];
  }
}

function testCase(one: Case): XmlElement {
  const { suite, name, seconds, verdict, labels, result } = one;
  const { requirement, level } = labels;
  const own = result && { requirement, level, flaky: result.flaky || undefined, known: result.known?.outcome };
  const values = { verdict, ...defined(own ?? {}) };
  const properties = Object.entries(values).map(([key, value]) =>
    element('property', { name: key, value: String(value) }),
  );
  const attributes = { classname: `ers.${suite}`, name, time: seconds.toFixed(3) };
  return element('testcase', attributes, [element('properties', {}, properties), ...body(one)]);
}

function totals(cases: readonly Case[]) {
  const number = (outcome: Outcome) => cases.filter((test) => test.outcome === outcome).length;
  return {
    tests: cases.length,
    failures: number('failure'),
    errors: number('error'),
    skipped: number('skipped'),
    time: cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  };
}

/** `junit.xml`: one suite per family, for the load cells, for a baseline, and for the run itself if it ended otherwise. */
export function renderJunit(report: Report): string {
  const cases = casesOf(report);
  const suites = [...groupBy(cases, ({ suite }) => suite)].map(([name, own]) =>
    element('testsuite', { name, ...totals(own) }, own.map(testCase)),
  );
  const root = element('testsuites', { name: 'ers-harness', ...totals(cases) }, suites);
  const declaration = { '?xml': [{ '#text': '' }], ':@': { version: '1.0', encoding: 'UTF-8' } };
  return `${builder.build([declaration, root]).trim()}\n`;
}

type Status = 'passed' | 'failed' | 'skipped' | 'other';

const LONGEST_CAUSE = 2_000;

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
      message: message === '' ? undefined : excerpt(message, LONGEST_CAUSE),
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
