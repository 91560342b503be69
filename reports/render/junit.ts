import { EXIT } from '../../lib/exit-codes.ts';
import { groupBy } from '../../lib/group-by.ts';
import { capacityText } from '../../lib/judge/capacity/details.ts';
import { loadCellName } from '../../lib/judge/cell/name.ts';
import { rootOf } from '../../lib/judge/conformance/baseline/consequences.ts';
import { baselineUpkeep, isExpected, knownWords } from '../../lib/judge/conformance/baseline/known.ts';
import { secondTryWords } from '../../lib/judge/conformance/retry.ts';
import { millis, rate } from '../../lib/numbers.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import type { CapacityAnswer } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report, ResultReport } from '../../lib/records/report.ts';
import { excerpt } from '../../lib/text.ts';
import { countsAsFailure, isStrict } from '../model/strict.ts';
import { element, textElement, type XmlElement, xmlDocument } from './xml.ts';

type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

type NotRun = NonNullable<NonNullable<Report['load']>['notRun']>[number];

/** A test case as written, and how readers of JUnit will count it. */
interface Case {
  readonly outcome: Outcome;
  readonly seconds: number;
  readonly xml: XmlElement;
}

const TEXT_LIMIT = 4_000;

/** Name of a result's test case: never changes between runs, so that histories hold. */
export function caseName({ checkId, variant }: Pick<ConformanceResult, 'checkId' | 'variant'>): string {
  return variant === undefined ? checkId : `${checkId} [${variant}]`;
}

function detail(result: ResultReport): string {
  const { known, title, requirement, level, expected, observed, difference, reason, needs, evidence } = result;
  const [again, retried] = [secondTryWords(result), result.retry?.evidence ?? []];
  const lines = [
    `${requirement} (${level}): ${title}`,
    ...(known === undefined ? [] : [`baseline: ${knownWords(known)}`]),
    ...(expected === undefined ? [] : [`expected: ${excerpt(expected, TEXT_LIMIT)}`]),
    ...(observed === undefined ? [] : [`observed: ${excerpt(observed, TEXT_LIMIT)}`]),
    ...(difference === undefined ? [] : [`missing: ${difference.missing.length}, extra: ${difference.extra.length}`]),
    ...(reason === undefined ? [] : [`reason: ${excerpt(reason, TEXT_LIMIT)}`]),
    ...(needs === undefined ? [] : [`needs: ${excerpt(needs, TEXT_LIMIT)}`]),
    ...(evidence.length === 0 ? [] : [`exchanges: ${evidence.slice(0, 20).join(' ')}`]),
    ...(again === undefined ? [] : [`second try: ${excerpt(again, TEXT_LIMIT)}`]),
    ...(retried.length === 0 ? [] : [`exchanges of the second try: ${retried.slice(0, 20).join(' ')}`]),
  ];
  return lines.join('\n');
}

/** How a verdict reads in JUnit: the table in section 4.0 of the verdicts. A failure that is expected is none: only new ones are to be seen. */
function outcomeOf(result: ResultReport, root: ConformanceResult | undefined, strict: boolean): Outcome {
  if (isExpected(result)) return result.verdict === 'warn' && !strict ? 'passed' : 'skipped';
  if (countsAsFailure(result, strict)) return 'failure';
  switch (result.verdict) {
    case 'error':
    case 'inconclusive':
      return 'error';
    case 'blocked':
      return root?.verdict === 'fail' || root?.verdict === 'error' ? 'skipped' : 'error';
    case 'not-applicable':
    case 'not-testable':
      return 'skipped';
    case 'pass':
    case 'info':
    case 'warn':
    case 'fail':
      return 'passed';
  }
}

function message(result: ResultReport): string {
  const { expected, observed, reason, title, known, needs } = result;
  if (known !== undefined && isExpected(result)) return excerpt(knownWords(known), 300);
  const difference =
    expected === undefined ? undefined : `expected ${expected}; observed ${observed ?? 'something else'}`;
  const overdue = known?.outcome === 'expired' ? `${knownWords(known)}: ` : '';
  const flaky = result.flaky === true ? 'flaky, passed on retry: ' : '';
  const needed = needs === undefined ? '' : `; it needs ${needs}`;
  return excerpt(`${overdue}${flaky}${difference ?? reason ?? title}${needed}`, 300);
}

/** `accepted`: the run is not unclear for what stays undecided, so that it is no error either. */
function resultCase(
  result: ResultReport,
  root: ConformanceResult | undefined,
  { strict, accepted }: { readonly strict: boolean; readonly accepted: boolean },
): Case {
  const plain = outcomeOf(result, root, strict);
  const outcome = accepted && plain === 'error' && result.verdict !== 'error' ? 'skipped' : plain;
  const properties = [
    element('property', { name: 'verdict', value: result.verdict }),
    element('property', { name: 'requirement', value: result.requirement }),
    element('property', { name: 'level', value: result.level }),
    ...(result.flaky === true ? [element('property', { name: 'flaky', value: 'true' })] : []),
    ...(result.known === undefined ? [] : [element('property', { name: 'known', value: result.known.outcome })]),
  ];
  const body: Record<Outcome, () => XmlElement[]> = {
    passed: () => (result.verdict === 'warn' ? [textElement('system-out', {}, detail(result))] : []),
    failure: () => [textElement('failure', { type: result.requirement, message: message(result) }, detail(result))],
    error: () => [textElement('error', { type: result.verdict, message: message(result) }, detail(result))],
    skipped: () => [
      element('skipped', { message: message(result) }),
      ...(isExpected(result) ? [textElement('system-out', {}, detail(result))] : []),
    ],
  };
  const seconds = result.durationMs / 1000;
  const attributes = { classname: `ers.${result.family}`, name: caseName(result), time: seconds.toFixed(3) };
  return {
    outcome,
    seconds,
    xml: element('testcase', attributes, [element('properties', {}, properties), ...body[outcome]()]),
  };
}

const CELL_OUTCOMES = { met: 'passed', violated: 'failure', invalid: 'error' } as const;

function cellCase(cell: CellReport): Case {
  const outcome = CELL_OUTCOMES[cell.verdict];
  const seconds = cell.facts.plan.durationSeconds;
  const figures = [
    `scheduled ${cell.scheduled}, started ${cell.started}, dropped ${cell.dropped}, failed ${cell.failed}`,
    `scheduled ${rate(cell.facts.plan.targetPerSecond)}/s, sent ${rate(cell.offeredPerSecond)}/s, achieved ${rate(cell.achievedPerSecond)}/s`,
    `response time p50 ${millis(cell.responseTime.p50Ms)}, p99 ${millis(cell.responseTime.p99Ms)}`,
    `service time p50 ${millis(cell.serviceTime.p50Ms)}, p99 ${millis(cell.serviceTime.p99Ms)}`,
  ].join('\n');
  const words = [
    ...cell.reasons,
    ...cell.rules.filter(({ holds }) => holds === false).map(({ id, text }) => `${id}: ${text}`),
  ];
  const report = { message: excerpt(cell.reasons.join('; ') || cell.verdict, 300), type: cell.verdict };
  const children = [
    element('properties', {}, [element('property', { name: 'verdict', value: cell.verdict })]),
    ...(outcome === 'passed' ? [] : [textElement(outcome, report, [...words, figures].join('\n'))]),
    textElement('system-out', {}, figures),
  ];
  const attributes = { classname: 'ers.load', name: loadCellName(cell), time: seconds.toFixed(3) };
  return { outcome, seconds, xml: element('testcase', attributes, children) };
}

/** A cell that was not run, because the target lacks what it needs. */
function notRunCase({ profile, operation, reason }: NotRun): Case {
  const skipped = element('skipped', { message: excerpt(reason, 300) });
  const attributes = { classname: 'ers.load', name: `${profile} ${operation}`, time: '0.000' };
  return { outcome: 'skipped', seconds: 0, xml: element('testcase', attributes, [skipped]) };
}

/** One search for the capacity: passed where it is at least the published rate. */
function capacityCase(answer: CapacityAnswer): Case {
  const { profile, operation, verdict, reasons } = answer;
  const outcome = CELL_OUTCOMES[verdict];
  const text = capacityText(answer);
  const report = { message: excerpt(text, 300), type: verdict };
  const children = [
    element('properties', {}, [element('property', { name: 'verdict', value: verdict })]),
    ...(outcome === 'passed' ? [] : [textElement(outcome, report, [text, ...reasons].join('\n'))]),
    textElement('system-out', {}, text),
  ];
  const attributes = { classname: 'ers.capacity', name: `${profile} ${operation}`, time: '0.000' };
  return { outcome, seconds: 0, xml: element('testcase', attributes, children) };
}

function suite(name: string, cases: readonly Case[]): XmlElement {
  return element(
    'testsuite',
    { name, ...totals(cases) },
    cases.map(({ xml }) => xml),
  );
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

/** What became of the list of expected failures: it fails nothing, and a mended fault is good news. */
function baselineCase(report: Report): Case[] {
  const words = Object.entries(baselineUpkeep(report) ?? {}).map(
    ([outcome, names]) => `${outcome}: ${names.length === 0 ? 'none' : names.join(', ')}`,
  );
  if (words.length === 0) return [];
  const attributes = { classname: 'ers.baseline', name: 'expected failures', time: '0.000' };
  const body = textElement('system-out', {}, words.join('\n'));
  return [{ outcome: 'passed', seconds: 0, xml: element('testcase', attributes, [body]) }];
}

/** Ends that no test case shows: a reader that sees only test cases must not take a cut or empty run for a good one. */
function runCase(report: Report): Case[] {
  const { code, reasons } = report.exit;
  if (code === 0 || code === 1) return [];
  const text = reasons.map((reason) => `exit ${reason.code}: ${reason.text}`).join('\n');
  const error = textElement('error', { type: report.verdict, message: `exit ${code}: ${report.verdict}` }, text);
  return [
    {
      outcome: 'error',
      seconds: 0,
      xml: element('testcase', { classname: 'ers.run', name: 'the run proves something', time: '0.000' }, [error]),
    },
  ];
}

/** `junit.xml`: one suite per family, one for the load cells, one for the baseline where there is one, and one for the run itself where it ended otherwise. */
export function renderJunit(report: Report): string {
  const results = report.conformance?.results ?? [];
  const root = rootOf(results);
  const how = {
    strict: isStrict(report),
    accepted: !report.exit.reasons.some(({ code }) => code === EXIT.inconclusive),
  };
  const families = groupBy(results, ({ family }) => family);
  const groups: readonly (readonly [string, readonly Case[]])[] = [
    ...[...families].map(
      ([family, own]) => [family, own.map((result) => resultCase(result, root(result), how))] as const,
    ),
    ['load', [...(report.load?.cells ?? []).map(cellCase), ...(report.load?.notRun ?? []).map(notRunCase)]],
    ['capacity', (report.capacity?.answers ?? []).map(capacityCase)],
    ['baseline', baselineCase(report)],
    ['run', runCase(report)],
  ];
  const filled = groups.filter(([, cases]) => cases.length > 0);
  const all = filled.flatMap(([, cases]) => cases);
  const suites = filled.map(([name, cases]) => suite(name, cases));
  return xmlDocument(element('testsuites', { name: 'ers-harness', ...totals(all) }, suites));
}
