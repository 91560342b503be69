import type { PairCoverage } from '../../lib/records/conformance.ts';
import { count } from '../../lib/text.ts';

/** `99.8 %`, rounded down, so that only all of them are 100 %. */
export function pairShare({ possible, exercised }: Pick<PairCoverage, 'possible' | 'exercised'>): string {
  return possible === 0 ? '' : `${Math.floor((exercised / possible) * 1000) / 10} %`;
}

/** Why pairs were not tried, the most frequent reason first: `2 657 (no record holds such a value), 23 (no record)`. */
export function missingWords(missing: PairCoverage['missing'], most: number): string {
  const reasons = Object.entries(missing).sort(([, one], [, other]) => other - one);
  const rest = reasons.slice(most).reduce((sum, [, number]) => sum + number, 0);
  return [
    ...reasons.slice(0, most).map(([why, number]) => `${count(number)} (${why})`),
    ...(rest === 0 ? [] : [`${count(rest)} (other reasons)`]),
  ].join(', ');
}
