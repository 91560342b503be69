import { defined } from '../../lib/defined.ts';
import type { Figure } from './figure.ts';

/** How much worse a figure may be than the committed one, beyond the spread of both, before it counts. */
const TOLERANCE = 0.15;

export interface Compared {
  readonly figure: Figure;
  readonly before: Figure | undefined;
  /** Median over the committed median; absent where there is none. */
  readonly change?: number;
  /** `absolute`: says something about this machine, and decides nothing. */
  readonly verdict: 'new' | 'as-before' | 'better' | 'worse' | 'absolute';
  /** False where a ratio misses what the product promises. */
  readonly withinLimit: boolean;
}

function verdictOf(figure: Figure, before: Figure): Compared['verdict'] {
  const sign = figure.better === 'higher' ? 1 : -1;
  const gain = sign * (figure.median / before.median - 1);
  const apart = figure.lowest > before.highest || figure.highest < before.lowest;
  if (!apart || Math.abs(gain) <= TOLERANCE) return 'as-before';
  return gain > 0 ? 'better' : 'worse';
}

/**
 * Each figure beside the committed one. A ratio is worse where its spread lies apart from the committed one and its median is more
 * than 15 % worse. Absolute figures are never judged: a machine with the same label was a third slower on another day.
 */
export function compareFigures(figures: readonly Figure[], committed: readonly Figure[]): Compared[] {
  return figures.map((figure) => {
    const { limit, better, median, portable } = figure;
    const before = committed.find(({ name }) => name === figure.name);
    const change = defined({ change: before && median / before.median });
    if (!portable) return { figure, before, ...change, verdict: 'absolute', withinLimit: true };
    const withinLimit = limit === undefined || (better === 'higher' ? median >= limit : median <= limit);
    const verdict = before === undefined ? 'new' : verdictOf(figure, before);
    return { figure, before, ...change, verdict, withinLimit };
  });
}

/** Figures as lines of a table for people. */
export function comparedLines(compared: readonly Compared[]): string[] {
  return compared.map(({ figure, change, verdict, withinLimit }) => {
    const { name, median, lowest, highest, unit, limit, better, portable } = figure;
    const promised =
      limit === undefined
        ? ''
        : `, ${portable ? 'promised' : 'meant to be'} ${better === 'higher' ? '>=' : '<='} ${limit}`;
    const against = change === undefined ? verdict : `${verdict} (x ${change.toFixed(2)})`;
    const missed = withinLimit ? '' : '  MISSED';
    return `${name.padEnd(44)} ${String(median).padStart(9)} ${unit} (${lowest} to ${highest}${promised}) ${against}${missed}`;
  });
}
