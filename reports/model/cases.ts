import { EXIT } from '../../lib/exit-codes.ts';
import { groupBy } from '../../lib/group-by.ts';
import { capacityText } from '../../lib/judge/capacity/capacity-answer.ts';
import { loadCellName } from '../../lib/judge/cell/judge-load.ts';
import { baselineUpkeep, isExpected, knownWords, rootOf } from '../../lib/judge/conformance/baseline/known.ts';
import { isFailing, isOpen, isUntested, secondTryWords } from '../../lib/judge/conformance/unproven.ts';
import { present } from '../../lib/present.ts';
import { statementText } from '../../lib/records/answer.ts';
import { type ConformanceResult, observedText } from '../../lib/records/conformance.ts';
import type { CapacityAnswer } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report, ResultReport } from '../../lib/records/report.ts';
import { runOptions } from '../../lib/records/run-options.ts';
import { excerpt, millis, rate, withoutIds } from '../../lib/text.ts';

export type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

/** One test case of a run, as programs that read reports know it. */
export interface Case {
  /** The family, `not decided`, `load`, `capacity`, `baseline` or `run`. */
  readonly suite: string;
  /** Never changes between runs, so that histories hold. */
  readonly name: string;
  readonly outcome: Outcome;
  readonly verdict: string;
  readonly seconds: number;
  /** The reason for that, in one line; undefined if there is nothing to say. */
  readonly message?: string | undefined;
  /** The same in full, also where it passed. */
  readonly detail: string;
  readonly labels: Readonly<Record<string, string | number | boolean>>;
  readonly result?: ResultReport;
  readonly attempt?: number;
  readonly upkeep?: NonNullable<ReturnType<typeof baselineUpkeep>>;
}

const TEXT_LIMIT = 4_000;

export function caseName({ checkId, variant }: Pick<ConformanceResult, 'checkId' | 'variant'>): string {
  return variant === undefined ? checkId : `${checkId} [${variant}]`;
}

function detail(result: ResultReport): string {
  const { known, title, requirement, level, expected, difference, reason, needs, evidence, retry } = result;
  const part = (name: string, text: string | undefined) =>
    text !== undefined && `${name}: ${excerpt(text, TEXT_LIMIT)}`;
  const shown = (name: string, ids: readonly string[]) => ids.length > 0 && `${name}: ${ids.slice(0, 20).join(' ')}`;
  return present(
    `${requirement} (${level}): ${title}`,
    known && `baseline: ${knownWords(known)}`,
    part('expected', expected),
    part('observed', observedText(result)),
    difference && `missing: ${difference.missing.length}, extra: ${difference.extra.length}`,
    part('reason', reason),
    part('needs', needs),
    shown('exchanges', evidence),
    part('second try', secondTryWords(result)),
    shown('exchanges of the second try', retry?.evidence ?? []),
  ).join('\n');
}

/** A failure that is expected is none: only new ones are to be seen. */
function outcomeOf(result: ResultReport, root: ConformanceResult | undefined, strict: boolean): Outcome {
  const { verdict } = result;
  if (isExpected(result)) return verdict === 'warn' && !strict ? 'passed' : 'skipped';
  if (isFailing(verdict, strict)) return 'failure';
  if (verdict === 'blocked' && (root?.verdict === 'fail' || root?.verdict === 'error')) return 'skipped';
  if (isOpen(verdict)) return 'error';
  return isUntested(verdict) ? 'skipped' : 'passed';
}

/** What was expected and what was observed instead; undefined if the result compares nothing. */
export const differenceWords = (result: ResultReport): string | undefined =>
  result.expected === undefined
    ? undefined
    : `expected ${result.expected}; observed ${observedText(result) ?? 'something else'}`;

function message(result: ResultReport): string {
  const { reason, title, known, needs } = result;
  if (known !== undefined && isExpected(result)) return knownWords(known);
  const overdue = known?.outcome === 'expired' ? `${knownWords(known)}: ` : '';
  const flaky = result.flaky === true ? 'flaky, passed on retry: ' : '';
  const needed = needs === undefined ? '' : `; it needs ${needs}`;
  return `${overdue}${flaky}${differenceWords(result) ?? reason ?? title}${needed}`;
}

/** `accepted`: the run is not unclear for what stays undecided, so that it is no error either. */
function resultCase(
  result: ResultReport,
  root: ConformanceResult | undefined,
  { strict, accepted }: { readonly strict: boolean; readonly accepted: boolean },
): Case {
  const { family, requirement, level, verdict } = result;
  const plain = outcomeOf(result, root, strict);
  return {
    ...{ suite: family, name: caseName(result), verdict, seconds: result.durationMs / 1000, result },
    outcome: accepted && plain === 'error' && verdict !== 'error' ? 'skipped' : plain,
    message: message(result),
    detail: detail(result),
    labels: { requirement, level },
  };
}

/** A reason without what differs from run to run: ids of records, and names that begin with that of the run. */
const reasonName = (reason: string) => excerpt(withoutIds(reason).replace(/\bcfm\w+/g, 'cfm…'), 200);

/** What was not decided for one reason is skipped with it, and the reason is one error: a line for each reason, not for each result. */
function byReason(cases: readonly Case[], root: ReturnType<typeof rootOf>): Case[] {
  const errors = cases.filter(({ outcome }) => outcome === 'error');
  const nameOf = ({ result, message: text = '' }: Case) =>
    reasonName((result && root(result)?.reason) ?? result?.reason ?? text);
  const shared = [...groupBy(errors, nameOf)].filter(([, own]) => own.length > 1);
  const alike = new Set(shared.flatMap(([, own]) => own));
  return [
    ...cases.map((one): Case => (alike.has(one) ? { ...one, outcome: 'skipped' } : one)),
    ...shared.map(([name, own]): Case => {
      const verdict = own.find((one) => one.verdict === 'error')?.verdict ?? (own[0] as Case).verdict;
      const text = `${own.length} results were not decided: ${name}`;
      const detail = [text, ...own.map((one) => `${one.suite}: ${one.name}`)].join('\n');
      return {
        ...{ suite: 'not decided', name, outcome: 'error', verdict, seconds: 0, message: text, labels: {} },
        detail: excerpt(detail, TEXT_LIMIT),
      };
    }),
  ];
}

const OUTCOMES = { met: 'passed', violated: 'failure', invalid: 'error' } as const;

function cellCase(cell: CellReport): Case {
  const { verdict, reasons, profile, operation, achievedPerSecond } = cell;
  const figures = [
    `scheduled ${cell.scheduled}, started ${cell.started}, dropped ${cell.dropped}, failed ${cell.failed}`,
    `scheduled ${rate(cell.facts.plan.targetPerSecond)}/s, sent ${rate(cell.offeredPerSecond)}/s, achieved ${rate(achievedPerSecond)}/s`,
    `response time p50 ${millis(cell.responseTime.p50Ms)}, p99 ${millis(cell.responseTime.p99Ms)}`,
    `service time p50 ${millis(cell.serviceTime.p50Ms)}, p99 ${millis(cell.serviceTime.p99Ms)}`,
  ];
  const broken = cell.rules.filter(({ holds }) => holds === false).map(({ id, text }) => `${id}: ${text}`);
  return {
    ...{ suite: 'load', name: loadCellName(cell), outcome: OUTCOMES[verdict], verdict, attempt: cell.attempt },
    seconds: cell.facts.plan.durationSeconds,
    message: reasons.length === 0 ? undefined : reasons.join('; '),
    detail: [...reasons, ...broken, ...figures].join('\n'),
    labels: { profile, operation, achievedPerSecond },
  };
}

const notRunCases = ({ load }: Report): Case[] =>
  (load?.notRun ?? []).map(({ profile, operation, reason }) => ({
    ...{ suite: 'load', name: `${profile} ${operation}`, outcome: 'skipped', verdict: 'not-run', seconds: 0 },
    ...{ message: reason, detail: reason, labels: { profile, operation } },
  }));

/** One search for the capacity: passed where it is at least the published rate. */
function capacityCase(answer: CapacityAnswer): Case {
  const { profile, operation, verdict, reasons, heldPerSecond, headroom, atLeast } = answer;
  const text = capacityText(answer);
  const figures = heldPerSecond === null || verdict === 'invalid' ? {} : { heldPerSecond, headroom: headroom ?? 0 };
  return {
    ...{ suite: 'capacity', name: `${profile} ${operation}`, outcome: OUTCOMES[verdict], verdict, seconds: 0 },
    ...{ message: text, detail: [text, ...reasons].join('\n'), labels: { profile, operation, atLeast, ...figures } },
  };
}

/** What became of the list of expected failures: it fails nothing, and a mended fault is good news. */
function baselineCase(report: Report): Case[] {
  const upkeep = baselineUpkeep(report);
  if (upkeep === undefined) return [];
  const words = Object.entries(upkeep).map(([outcome, names]) => `${outcome}: ${names.join(', ') || 'none'}`);
  const what = { suite: 'baseline', name: 'expected failures', outcome: 'passed', verdict: 'passed' } as const;
  return [{ ...what, seconds: 0, detail: words.join('\n'), labels: {}, upkeep }];
}

/** Ends that no other case shows: who sees only cases must not take a cut or empty run for a good one. */
function runCase({ exit: { code, reasons }, answer }: Report): Case[] {
  if (code === 0 || code === 1) return [];
  const text = reasons.map((reason) => `exit ${reason.code}: ${reason.text}`).join('\n');
  const what = { suite: 'run', name: 'the run proves something', outcome: 'error', verdict: answer.ending } as const;
  return [
    { ...what, seconds: 0, message: `exit ${code}: ${statementText(answer.sentence)}`, detail: text, labels: {} },
  ];
}

/** Every test case of a run: what JUnit, CTRF and the annotations of a CI run are written from. */
export function casesOf(report: Report): readonly Case[] {
  const { conformance, load, capacity, exit } = report;
  const root = rootOf(conformance?.results ?? []);
  const accepted = !exit.reasons.some(({ code }) => code === EXIT.inconclusive);
  const how = { strict: runOptions(report.run).strict === true, accepted };
  return [
    ...byReason(
      (conformance?.results ?? []).map((result) => resultCase(result, root(result), how)),
      root,
    ),
    ...(load?.cells ?? []).map(cellCase),
    ...notRunCases(report),
    ...(capacity?.answers ?? []).map(capacityCase),
    ...baselineCase(report),
    ...runCase(report),
  ];
}
