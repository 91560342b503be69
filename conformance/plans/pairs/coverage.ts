import { groupBy } from '../../../lib/group-by.ts';
import type { PairCoverage } from '../../../lib/records/conformance.ts';
import { short } from '../../../lib/text.ts';
import { isPossible } from './array.ts';
import type { Model, Row } from './factors.ts';

type Level = readonly [factor: string, level: string];

const keyOf = ([factor, level]: Level, [other, otherLevel]: Level): string =>
  `${factor}=${level} & ${other}=${otherLevel}`;

/** Reasons that are told apart, and characters of each: a target words its refusals as it likes. */
const MOST_REASONS = 12;
const LONGEST_REASON = 120;

/** Numbers by reason, the largest first; what is beyond the bound is put together. */
function byReason(reasons: readonly string[]): Record<string, number> {
  const groups = [...groupBy(reasons, (why) => short(why, LONGEST_REASON))]
    .map(([why, { length }]) => [why, length] as const)
    .sort(([, one], [, other]) => other - one);
  const rest = groups.slice(MOST_REASONS).reduce((sum, [, number]) => sum + number, 0);
  return Object.fromEntries([...groups.slice(0, MOST_REASONS), ...(rest === 0 ? [] : [['other reasons', rest]])]);
}

/** Opens the count of the pairs of a model, as its rows are done. */
export function countPairs(model: Model) {
  const { factors } = model;
  const possible = new Set<string>();
  for (const [at, one] of factors.entries())
    for (const other of factors.slice(at + 1))
      for (const level of one.levels)
        for (const otherLevel of other.levels) {
          const pair = [
            [one.name, level],
            [other.name, otherLevel],
          ] as const;
          if (isPossible(model, ...pair)) possible.add(keyOf(...pair));
        }
  const exercised = new Set<string>();
  const reasons = new Map<string, string>();
  return {
    /** Takes in a row: levels of the factors that its steps did not bring about, or did not show together, count for nothing. */
    add(
      row: Row,
      notDone: ReadonlyMap<string, string>,
      isTogether: (one: string, other: string) => boolean = () => true,
    ): void {
      const done = factors.flatMap(({ name }): Level[] => (row[name] === undefined ? [] : [[name, row[name]]]));
      for (const [at, one] of done.entries())
        for (const other of done.slice(at + 1)) {
          if (!isTogether(one[0], other[0])) continue;
          const key = keyOf(one, other);
          const why = notDone.get(one[0]) ?? notDone.get(other[0]);
          if (why === undefined) exercised.add(key);
          else reasons.set(key, why);
        }
    },
    coverage(): PairCoverage {
      const left = [...possible].filter((key) => !exercised.has(key));
      return {
        factors: factors.length,
        levels: factors.reduce((sum, { levels }) => sum + levels.length, 0),
        possible: possible.size,
        exercised: possible.size - left.length,
        missing: byReason(left.map((key) => reasons.get(key) ?? 'not tried')),
      };
    },
  };
}
