import { defined } from '../../lib/defined.ts';
import { median } from '../../lib/stats/trend.ts';

/** One measured figure: the median of several rounds and their spread. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
  readonly rounds: number;
  readonly better: 'higher' | 'lower';
  /** A ratio within one run holds on any machine; anything else says something about this one. */
  readonly portable: boolean;
  /** What the product promises, where it promises something. */
  readonly limit?: number;
}

/** Figure of the values of several rounds. A unit of `ratio` makes it portable. Throws where a round gave no number. */
export function figureOf(
  name: string,
  values: readonly number[],
  unit: string,
  better: Figure['better'],
  limit?: number,
): Figure {
  if (values.length === 0 || !values.every(Number.isFinite)) throw new Error(`${name}: a round gave no number`);
  const digits = (value: number) => Number(value.toPrecision(4));
  return {
    name,
    unit,
    median: digits(median(values)),
    lowest: digits(Math.min(...values)),
    highest: digits(Math.max(...values)),
    rounds: values.length,
    better,
    portable: unit === 'ratio',
    ...defined({ limit }),
  };
}

/** Ratios of values measured in the same round. */
export function ratios(above: readonly number[], below: readonly number[]): number[] {
  return above.map((value, round) => value / (below[round] ?? Number.NaN));
}
