import { defined } from '../../lib/defined.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { LineResult } from '../record/compact.ts';
import { changesBetween } from './changes.ts';
import { checkIds, checkLetters, checkResults, checkState, type Night, type State, stateOf } from './nights.ts';

/** Results of one check that fail, or warn, since the same night. */
export interface Failing {
  readonly checkId: string;
  readonly title: string;
  /** `family` or `family variant`. */
  readonly results: readonly string[];
  /** True where a baseline expects all of them. */
  readonly expected: boolean;
  readonly firstBad: { readonly run: string; readonly at: string };
  /** The last night before in which they passed; absent where none did. */
  readonly lastGood?: { readonly run: string; readonly at: string };
  /** Counted nights since and with the first bad one. */
  readonly nights: number;
  /** What was another thing in the first bad night than in the last good one. */
  readonly changes: readonly string[];
}

const BAD: ReadonlySet<State> = new Set(['fail', 'flaky', 'expected']);
const DECIDED: ReadonlySet<State> = new Set([...BAD, 'pass']);

/** What is looked for in a history. */
interface Sought {
  /** A check that was this in no counted night is not taken apart into its results. */
  readonly isIn: (night: Night, checkId: string) => boolean;
  /** `fail` is what is looked for, `pass` ends it. */
  readonly stateOf: (result: LineResult) => State;
}

const FAILURES: Sought = { isIn: (night, checkId) => BAD.has(checkState(night, checkId)), stateOf };
/** A pass ends a warning; a failure, which says neither, leaves it undecided. */
const WARNINGS: Sought = {
  isIn: (night, checkId) => checkLetters(night, checkId).includes('w'),
  stateOf: ({ letter }) => (letter === 'w' ? 'fail' : letter === 'p' ? 'pass' : 'open'),
};

interface Look {
  readonly night: Night;
  readonly state: State;
}

const keyOf = ({ family, variant }: { readonly family: string; readonly variant: string }) =>
  variant === '' ? family : `${family} ${variant}`;

/** For each result of a check, the counted nights that decided it, in order. */
function looksByResult(
  nights: readonly Night[],
  checkId: string,
  sought: Sought,
): ReadonlyMap<string, readonly Look[]> {
  const looks = nights
    .filter(({ counts }) => counts)
    .flatMap((night) =>
      checkResults(night, checkId).map((result) => ({ key: keyOf(result), night, state: sought.stateOf(result) })),
    );
  return groupBy(
    looks.filter(({ state }) => DECIDED.has(state)),
    ({ key }) => key,
  );
}

function sinceWhen(nights: readonly Night[], sought: Sought): readonly Failing[] {
  const titles = new Map(nights.flatMap(({ line }) => line.causes.map(({ id, title }) => [id, title] as const)));
  const found = checkIds(nights).flatMap((checkId) => {
    if (!nights.some((night) => night.counts && sought.isIn(night, checkId))) return [];
    const stretches = [...looksByResult(nights, checkId, sought)].flatMap(([key, looks]) => {
      const last = looks.at(-1);
      if (last === undefined || last.state === 'flaky' || !BAD.has(last.state)) return [];
      const good = looks.findLastIndex(({ state }) => state === 'pass');
      const first = looks[good + 1] ?? last;
      return [{ key, expected: last.state === 'expected', first, good: looks[good], nights: looks.length - good - 1 }];
    });
    const groups = groupBy(stretches, ({ first, good }) =>
      JSON.stringify([first.night.line.run, good?.night.line.run]),
    );
    return [...groups.values()].flatMap((group): Failing[] => {
      const [one] = group;
      if (one === undefined) return [];
      const [bad, good] = [one.first.night.line, one.good?.night.line];
      return [
        {
          checkId,
          title: titles.get(checkId) ?? checkId,
          results: group.map(({ key }) => key),
          expected: group.every(({ expected }) => expected),
          firstBad: { run: bad.run, at: bad.at },
          ...defined({ lastGood: good && { run: good.run, at: good.at } }),
          nights: Math.max(...group.map(({ nights: since }) => since)),
          changes: good === undefined ? [] : changesBetween(good, bad),
        },
      ];
    });
  });
  return found.sort(
    (a, b) =>
      Number(a.expected) - Number(b.expected) ||
      (a.firstBad.at < b.firstBad.at ? 1 : a.firstBad.at > b.firstBad.at ? -1 : b.results.length - a.results.length),
  );
}

/** Everything that failed when it was last decided, by check and first bad night; what fails since the latest night first. */
export const failingOf = (nights: readonly Night[]): readonly Failing[] => sinceWhen(nights, FAILURES);

/** The same of warnings: what the specification leaves open or only implies, and the target does otherwise. */
export const warningsOf = (nights: readonly Night[]): readonly Failing[] => sinceWhen(nights, WARNINGS);
