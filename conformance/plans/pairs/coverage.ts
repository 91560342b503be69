import { isPossible } from './array.ts';
import type { Model, Row } from './factors.ts';

type Level = readonly [factor: string, level: string];

const keyOf = ([factor, level]: Level, [other, otherLevel]: Level): string => `${factor}=${level} & ${other}=${otherLevel}`;

/** Pairs of factor levels that were exercised, of those that are possible. */
export interface PairCoverage {
  readonly factors: number;
  readonly levels: number;
  readonly possible: number;
  readonly exercised: number;
  /** What keeps the others from being exercised, with how many it is about. */
  readonly missing: Readonly<Record<string, number>>;
}

/** Counts the pairs of a family as its rows are done. */
export interface CoverageCount {
  /** Takes in a row: levels of the factors that its steps did not bring about count for nothing. */
  readonly add: (row: Row, notDone: ReadonlyMap<string, string>) => void;
  readonly coverage: () => PairCoverage;
}

/** Opens the count for a model; `left` are levels that the target does not have, with the reason. */
export function countPairs(model: Model): CoverageCount {
  const { factors } = model;
  const possible = new Set<string>();
  for (const [at, one] of factors.entries())
    for (const other of factors.slice(at + 1))
      for (const level of one.levels)
        for (const otherLevel of other.levels) {
          const pair = [[one.name, level], [other.name, otherLevel]] as const;
          if (isPossible(model, ...pair)) possible.add(keyOf(...pair));
        }
  const exercised = new Set<string>();
  const reasons = new Map<string, string>();
  return {
    add(row, notDone) {
      const done = factors.flatMap(({ name }): Level[] => (row[name] === undefined ? [] : [[name, row[name]]]));
      for (const [at, one] of done.entries())
        for (const other of done.slice(at + 1)) {
          const key = keyOf(one, other);
          const why = notDone.get(one[0]) ?? notDone.get(other[0]);
          if (why === undefined) exercised.add(key);
          else reasons.set(key, why);
        }
    },
    coverage() {
      const missing: Record<string, number> = {};
      for (const key of possible) {
        if (exercised.has(key)) continue;
        const why = reasons.get(key) ?? 'not tried';
        missing[why] = (missing[why] ?? 0) + 1;
      }
      return {
        factors: factors.length,
        levels: factors.reduce((sum, { levels }) => sum + levels.length, 0),
        possible: possible.size,
        exercised: [...exercised].filter((key) => possible.has(key)).length,
        missing,
      };
    },
  };
}
