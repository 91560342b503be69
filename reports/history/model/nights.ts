import { UNKNOWN } from '../../../lib/records/conformance.ts';
import { type LineResult, resultsOfCheck } from '../record/compact.ts';
import type { HistoryLine } from '../record/line.ts';
import { type Since, State } from './schema.ts';

/** What is compared of two runs, in the words and the order in which it is told. */
const COMPARED: readonly (readonly [name: string, of: (line: HistoryLine) => string | undefined])[] = [
  ['version of the target', ({ targetVersion }) => targetVersion],
  ['tool', ({ tool }) => tool],
  ['tables of the specification', ({ tables }) => tables],
  ['list of checks', ({ catalogue }) => catalogue],
  ['set of requirements', ({ requirements }) => requirements],
  ['mode', ({ mode }) => mode],
  ['what was asked for', ({ plan }) => plan],
  ['k6', ({ k6 }) => k6],
  ['Node', ({ node }) => node],
];

/** What not every run learns is no change where one of them did not. */
const differs = (name: string, before: string | undefined, after: string | undefined): string[] => {
  if (before === undefined || after === undefined || before === after) return [];
  // Two digests say to nobody what changed.
  return [before, after].every((told) => /^[0-9a-f]{12}$/.test(told))
    ? [`${name}: changed`]
    : [`${name}: ${before} → ${after}`];
};

/** What was another thing in one run than in the run before it: what may have caused a change. */
export function changesBetween(before: HistoryLine, after: HistoryLine): string[] {
  const [old, now] = [before.dialect ?? {}, after.dialect ?? {}];
  const isLearned = (told: string | undefined) => told !== undefined && told !== JSON.stringify(UNKNOWN);
  const asked = Object.keys(now).filter((id) => isLearned(now[id]) && isLearned(old[id]));
  return [
    ...COMPARED.flatMap(([name, of]) => differs(name, of(before), of(after))),
    ...asked.flatMap((id) => differs(`dialect ${id}`, old[id], now[id])),
  ];
}

/** One run of a history, with whether it says anything of the target. */
export interface Night {
  readonly line: HistoryLine;
  /** False if the run was cut, could not test, or ended by a fault of its own: it is drawn and never counted. */
  readonly counts: boolean;
}

export interface Selection {
  /** First moment, as ISO text. */
  readonly since?: string;
  /** Target by its name or a part of it; absent: that of the newest line. */
  readonly target?: string;
}

/** Exit codes of runs that looked at the target to their end. */
const LOOKED: ReadonlySet<number> = new Set([0, 1, 4, 5, 7]);

/** The nights of one target in order, and the targets that are left out. */
export function nightsOf(lines: readonly HistoryLine[], { since = '', target = '' }: Selection) {
  const chosen = lines.findLast((line) => line.target.includes(target))?.target ?? '';
  const nights = lines
    .filter((line) => line.target === chosen && line.at >= since)
    .map((line): Night => ({ line, counts: line.complete && LOOKED.has(line.exit) }));
  const others = [...new Set(lines.map((line) => line.target))].filter((one) => one !== chosen);
  return { nights, target: chosen, others };
}

/** Letters of the results that put a check into each state. */
const LETTERS_OF: Readonly<Record<State, string>> = {
  fail: 'fe',
  flaky: 'k',
  expected: 'x',
  open: 'bu',
  pass: 'pw',
  none: 'int',
};

export const stateOf = (letters: string): State =>
  State.options.find((state) => [...LETTERS_OF[state]].some((letter) => letters.includes(letter))) ?? 'none';

/** True for a state that says how the check did, for the better or the worse. */
export const isDecided = (state: State): boolean => state !== 'open' && state !== 'none';

const rowsOf = ({ line }: Night, checkId: string): HistoryLine['checks'][string] | undefined =>
  Object.hasOwn(line.checks, checkId) ? line.checks[checkId] : undefined;

/** State of a check in a night: `none` where it did not run. */
export const checkState = (night: Night, checkId: string): State => stateOf(rowsOf(night, checkId)?.r.join('') ?? '');

export function checkResults(night: Night, checkId: string): readonly LineResult[] {
  const rows = rowsOf(night, checkId);
  return rows === undefined ? [] : resultsOfCheck(checkId, rows, night.line.families);
}

/** True if one of the checks came to something in a night: it was not left out, and is not open. Of no check, any night did. */
export const hasLooked = (night: Night, checkIds: readonly string[]): boolean =>
  checkIds.length === 0 ||
  checkIds.some((id) => checkResults(night, id).some(({ letter }) => letter === 'i' || isDecided(stateOf(letter))));

export function checkIds(nights: readonly Night[]): readonly string[] {
  return [...new Set(nights.flatMap(({ line }) => Object.keys(line.checks)))].sort();
}

type Moment = { readonly at: string };
export const byAt = (a: Moment, b: Moment): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

/** Since when something is bad: of the nights that decided it, the first after the last good one. Undefined if it is not bad now. */
export function sinceOf<Look extends { readonly line: HistoryLine }>(
  looks: readonly Look[],
  isGood: (look: Look) => boolean,
): Omit<Since, 'expected'> | undefined {
  const at = looks.findLastIndex(isGood);
  const [good, first] = [looks[at]?.line, looks[at + 1]?.line];
  const before = looks.slice(0, Math.max(at, 0)).filter((look) => !isGood(look));
  const [oldest] = before;
  if (first === undefined) return undefined;
  return {
    firstBad: { run: first.run, at: first.at },
    ...(good === undefined ? {} : { lastGood: { run: good.run, at: good.at } }),
    nights: looks.length - at - 1,
    ...(oldest && { earlier: { run: oldest.line.run, at: oldest.line.at, nights: before.length } }),
    changes: good === undefined ? [] : changesBetween(good, first),
  };
}

/** What is new first, what is expected last; of one night what has most results. */
export const newestFirst =
  <T extends Since>(size: (one: T) => number) =>
  (a: T, b: T): number =>
    Number(a.expected) - Number(b.expected) || byAt(b.firstBad, a.firstBad) || size(b) - size(a);
