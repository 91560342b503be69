import { EXIT, type ExitCode } from '../../lib/exit-codes.ts';
import { claimOf, stepsOf } from '../../lib/judge/answer/search.ts';
import { loadCellName } from '../../lib/judge/cell/judge-load.ts';
import { present } from '../../lib/present.ts';
import type { Tone } from '../../lib/records/answer.ts';
import type { CapacityAnswer, CapacityReport } from '../../lib/records/load/capacity.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Report } from '../../lib/records/report.ts';
import { count, counted, duration, millis, rate, some } from '../../lib/text.ts';
import { limitRange, limitText } from '../model/held.ts';
import {
  askedLess,
  type ConformanceComparison,
  compareConformance,
  differentCircumstances,
  isDecided,
} from './conformance.ts';
import { type CellComparison, compareLoad, type LoadComparison, type LoadRun } from './load.ts';

interface Side {
  readonly answer: CapacityAnswer;
  readonly steps: readonly CellReport[];
}

function groundOf({ answer, steps }: Side): string {
  const { ground } = claimOf(answer, steps);
  const { confirmation } = answer;
  return ground === 'confirmed' && confirmation ? `confirmed for ${duration(confirmation.seconds * 1000)}` : ground;
}

function timeAt({ answer: { rates, targetPerSecond } }: Side, key: 'responseP50Ms' | 'responseP99Ms'): string {
  const at = rates.find(({ ratePerSecond }) => ratePerSecond === targetPerSecond);
  return at === undefined || at.held + at.failed === 0 ? 'not measured' : millis(at[key]);
}

function failuresOf({ steps }: Side): string {
  const valid = steps.filter(({ verdict }) => verdict !== 'invalid');
  const failed = valid.reduce((sum, step) => sum + step.failed, 0);
  const [first] = valid.flatMap(({ failures }) => failures);
  return `${count(failed)}${first === undefined ? '' : `, the first ${first.status} ${first.example ?? ''}`}`.trim();
}

function settingsOf({ answer, steps }: Side): Readonly<Record<string, string>> {
  const plan = steps[0]?.facts.plan;
  return {
    connections: String(answer.connections),
    objective: plan?.slo?.join(', ') ?? 'none',
    'published rate': `${answer.targetPerSecond}/s`,
    'time-out': millis(plan?.timeoutMs ?? null),
  };
}

/** Two intervals of the limit decide where they do not touch. */
function verdictOf(before: Side, after: Side) {
  const [a, b] = [settingsOf(before), settingsOf(after)];
  const differing = Object.keys(a).filter((name) => a[name] !== b[name]);
  const obstacles = present(
    ...differing.map((name) => `${name}: ${a[name]} → ${b[name]}`),
    before.answer.verdict === 'invalid' && 'the search before answers nothing',
    after.answer.verdict === 'invalid' && 'the search after answers nothing',
  );
  if (obstacles.length > 0) return { verdict: 'not comparable', reasons: obstacles } as const;
  const [[lowBefore, highBefore], [lowAfter, highAfter]] = [limitRange(before.answer), limitRange(after.answer)];
  if (highAfter < lowBefore) return { verdict: 'worse', reasons: [] } as const;
  if (lowAfter > highBefore) return { verdict: 'better', reasons: [] } as const;
  return { verdict: 'no difference shown', reasons: ['the limits of both lie in one range'] } as const;
}

function compareSearch(before: Side, after: Side) {
  const { profile, operation, targetPerSecond } = before.answer;
  const line = (name: string, of: (side: Side) => string) => ({ name, before: of(before), after: of(after) });
  const held = ({ answer }: Side) => (answer.heldPerSecond === null ? 'none' : `${rate(answer.heldPerSecond)}/s`);
  return {
    ...{ profile, operation },
    ...verdictOf(before, after),
    lines: [
      line('holds', held),
      line('rests on', groundOf),
      line('limit', ({ answer }) => limitText(answer)),
      line(`response p50 at ${targetPerSecond}/s`, (side) => timeAt(side, 'responseP50Ms')),
      line(`response p99 at ${targetPerSecond}/s`, (side) => timeAt(side, 'responseP99Ms')),
      line('failed transactions', failuresOf),
    ],
  };
}

const sideOf = ({ steps }: CapacityReport, answer: CapacityAnswer): Side => ({ answer, steps: stepsOf(steps, answer) });

export type SearchComparison = ReturnType<typeof compareSearch>;

/** The searches that both runs have; null if one of them has none. */
function compareCapacity(
  { capacity: before }: Pick<Report, 'capacity'>,
  { capacity: after }: Pick<Report, 'capacity'>,
): readonly SearchComparison[] | null {
  if (before === undefined || after === undefined) return null;
  return before.answers.flatMap((answer) => {
    const other = after.answers.find((one) => loadCellName(one) === loadCellName(answer));
    return other === undefined ? [] : [compareSearch(sideOf(before, answer), sideOf(after, other))];
  });
}

/** What a comparison says as a whole, in a few words, and what it ends with; that nothing could be compared has an exit code of its own. */
export const OUTCOMES = {
  worse: { words: 'Worse', exit: EXIT.failed, tone: 'bad' },
  'not comparable': { words: 'Not comparable', exit: EXIT.incomparable, tone: 'open' },
  'partly compared': { words: 'Nothing worse in what could be compared', exit: EXIT.inconclusive, tone: 'open' },
  differs: { words: 'Response times differ; too few runs to call that worse', exit: EXIT.ok, tone: 'open' },
  better: { words: 'Better', exit: EXIT.ok, tone: 'good' },
  'not worse': { words: 'Nothing worse', exit: EXIT.ok, tone: 'good' },
} as const satisfies Readonly<Record<string, { words: string; exit: ExitCode; tone: Tone }>>;
type Outcome = keyof typeof OUTCOMES;

interface Parts {
  readonly conformance: ConformanceComparison | null;
  readonly load: LoadComparison | null;
  readonly capacity: readonly SearchComparison[] | null;
}

const cellsThat = ({ load }: Parts, verdict: string) => (load?.cells ?? []).filter((cell) => cell.verdict === verdict);
const searchesThat = ({ capacity }: Parts, verdict: string) =>
  (capacity ?? []).filter((search) => search.verdict === verdict);

function worseReasons(parts: Parts): string[] {
  const failing = parts.conformance?.newlyFailing.length ?? 0;
  const changed = parts.conformance?.changed ?? [];
  const how = [...new Set(changed.map(({ changed: words }) => words?.join(' → ')))].filter((one) => one !== undefined);
  return present(
    failing > 0 && `${counted(failing, 'result')} newly ${failing === 1 ? 'fails' : 'fail'}`,
    changed.length > 0 &&
      `${counted(changed.length, 'result')} ${changed.length === 1 ? 'fails' : 'fail'} in another way: ${some(how, 3)}`,
    ...cellsThat(parts, 'worse').map((cell) => `load ${loadCellName(cell)} is worse`),
    ...searchesThat(parts, 'worse').map((search) => `the capacity of ${loadCellName(search)} is lower`),
  );
}

function betterReasons(parts: Parts): string[] {
  const fixed = parts.conformance?.fixed.length ?? 0;
  return present(
    fixed > 0 && `${counted(fixed, 'result')} fixed`,
    ...cellsThat(parts, 'better').map((cell) => `load ${loadCellName(cell)} is better`),
    ...searchesThat(parts, 'better').map((search) => `the capacity of ${loadCellName(search)} is higher`),
  );
}

function lacking(part: keyof Parts, parts: Parts, a: Report, b: Report): string | false {
  const isThere = (report: Report) => report[part] != null && (part !== 'load' || report.load?.cells.length !== 0);
  const where = isThere(a) ? 'only in the first run' : isThere(b) ? 'only in the second run' : 'in neither run';
  return parts[part] === null && (a[part] ?? b[part]) != null && `${part}: ${where}`;
}

function openReasons(a: Report, b: Report, parts: Parts): string[] {
  const lost = parts.conformance?.newlyNotProven.length ?? 0;
  const gone = parts.conformance?.removed.filter(({ before }) => isDecided(before)).length ?? 0;
  const failing = parts.conformance?.failingUntested.length ?? 0;
  const isAlone = (cell: CellReport) =>
    cell.verdict === 'violated' && parts.load?.onlyAfter.includes(loadCellName(cell));
  const why = (one: CellComparison | SearchComparison) => `${loadCellName(one)}: ${one.reasons.join('; ')}`;
  return present(
    failing > 0 &&
      `${counted(failing, 'result')} ${failing === 1 ? 'fails' : 'fail'} that the first run did not test${askedLess(a, b) ? ', or tested less' : ''}`,
    ...(b.load?.cells ?? [])
      .filter(isAlone)
      .map((cell) => `load ${loadCellName(cell)} fails, and the first run did not test it`),
    ...(['conformance', 'load', 'capacity'] as const).map((part) => lacking(part, parts, a, b)),
    ...searchesThat(parts, 'not comparable').map((search) => `capacity ${why(search)}`),
    ...cellsThat(parts, 'not comparable').map((cell) => `load ${why(cell)}`),
    ...(parts.load?.onlyBefore ?? []).map((name) => `load ${name}: only in the first run`),
    lost > 0 && `${counted(lost, 'result')} newly not proven`,
    gone > 0 && `${counted(gone, 'result')} only in the first run`,
  );
}

/** What the comparison says as a whole, and why; no reasons where nothing is worse and everything was compared. */
function outcomeOf(parts: Parts, open: readonly string[]): { outcome: Outcome; reasons: readonly string[] } {
  const { conformance, load, capacity } = parts;
  const something =
    (conformance?.compared ?? 0) > 0 ||
    [...(load?.cells ?? []), ...(capacity ?? [])].some(({ verdict }) => verdict !== 'not comparable');
  if (!something) {
    const reasons = open.length === 0 ? ['neither run has a result, a load or a search'] : open;
    return { outcome: 'not comparable', reasons };
  }
  const worse = worseReasons(parts);
  if (worse.length > 0) return { outcome: 'worse', reasons: [...worse, ...open] };
  const differing = cellsThat(parts, 'differs').map((cell) =>
    [`load ${loadCellName(cell)} differs`, ...(cell.reasons.length === 0 ? [] : [cell.reasons.join('; ')])].join(': '),
  );
  const better = betterReasons(parts);
  if (open.length > 0) return { outcome: 'partly compared', reasons: [...open, ...differing, ...better] };
  if (differing.length > 0) return { outcome: 'differs', reasons: [...differing, ...better] };
  return { outcome: better.length > 0 ? 'better' : 'not worse', reasons: better };
}

/** Compares two runs, the older one first; further runs of each kind tell how far runs of the same lie apart. */
export function compareRuns(before: readonly [LoadRun, ...LoadRun[]], after: readonly [LoadRun, ...LoadRun[]]) {
  const [a, b] = [before[0].report, after[0].report];
  const [conformance, load, capacity] = [compareConformance(a, b), compareLoad(before, after), compareCapacity(a, b)];
  const parts = { conformance, load, capacity };
  const circumstances = differentCircumstances(a, b);
  return { before: a, after: b, ...outcomeOf(parts, openReasons(a, b, parts)), circumstances, ...parts };
}
export type Comparison = ReturnType<typeof compareRuns>;

/** Runs that stand on both sides, or twice on one: what a run is compared with must be another one. */
export function runsGivenTwice(runs: readonly LoadRun[]): readonly string[] {
  const ids = runs.map(({ report }) => report.run.runId);
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
}
