import type { Figure } from './figure.ts';

/** How much worse a figure may be than the committed one, beyond the spread of both, before it counts. */
const TOLERANCE = 0.15;

export interface Compared {
  readonly figure: Figure;
  readonly before: Figure | undefined;
  /** Median over the committed median; absent where there is none. */
  readonly change?: number;
  /** `not-comparable`: an absolute figure of another machine, which decides nothing. */
  readonly verdict: 'new' | 'as-before' | 'better' | 'worse' | 'not-comparable';
  /** False where it misses what the product promises. */
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
 * Each figure beside the committed one. A figure is worse where its spread lies apart from the committed one and its median is more
 * than 15 % worse; absolute figures are compared on the same machine only.
 */
export function compareFigures(
  figures: readonly Figure[],
  committed: readonly Figure[],
  sameMachine: boolean,
): Compared[] {
  return figures.map((figure) => {
    const before = committed.find(({ name }) => name === figure.name);
    const { limit = figure.better === 'higher' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY } = figure;
    const withinLimit = figure.better === 'higher' ? figure.median >= limit : figure.median <= limit;
    if (before === undefined) return { figure, before, verdict: 'new', withinLimit };
    const change = figure.median / before.median;
    const verdict = figure.portable || sameMachine ? verdictOf(figure, before) : 'not-comparable';
    return { figure, before, change, verdict, withinLimit };
  });
}

/** Figures as lines of a table for people. */
export function comparedLines(compared: readonly Compared[]): string[] {
  return compared.map(({ figure, change, verdict, withinLimit }) => {
    const { name, median, lowest, highest, unit, limit, better } = figure;
    const promised = limit === undefined ? '' : `, promised ${better === 'higher' ? '>=' : '<='} ${limit}`;
    const against = change === undefined ? verdict : `${verdict} (x ${change.toFixed(2)})`;
    const missed = withinLimit ? '' : '  MISSED';
    return `${name.padEnd(44)} ${String(median).padStart(9)} ${unit} (${lowest} to ${highest}${promised}) ${against}${missed}`;
  });
}
