import { defined } from '../../lib/defined.ts';
import { median } from '../../lib/stats/trend.ts';

/** One measured figure: the median of several rounds, and the values of all. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** What the product promises, if it promises something. */
  readonly limit?: { readonly least: number } | { readonly most: number };
}

/** Figure of the values of several rounds. Throws if a round gave no number. */
export function figureOf(name: string, values: readonly number[], unit: string, limit?: Figure['limit']): Figure {
  if (values.length === 0 || !values.every(Number.isFinite)) throw new Error(`${name}: a round gave no number`);
  return { name, unit, values, ...defined({ limit }) };
}

export function isMissed({ values, limit }: Figure): boolean {
  if (limit === undefined) return false;
  return 'least' in limit ? median(values) < limit.least : median(values) > limit.most;
}

/** A figure as a line of a table for people. */
export function figureLine(figure: Figure): string {
  const { name, unit, values, limit } = figure;
  const [middle, low, high] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    Number(value.toPrecision(4)),
  );
  const promised = limit && ('least' in limit ? `, promised >= ${limit.least}` : `, promised <= ${limit.most}`);
  return `${name.padEnd(44)} ${middle} ${unit} (${low} to ${high}${promised ?? ''})${isMissed(figure) ? '  MISSED' : ''}`;
}

/** Ratios of values measured in the same round. */
export function ratios(above: readonly number[], below: readonly number[]): number[] {
  return above.map((value, round) => value / (below[round] ?? Number.NaN));
}
