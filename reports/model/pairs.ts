import type { PairCoverage } from '../../lib/records/conformance.ts';
import type { Report } from '../../lib/records/report.ts';
import { count } from '../../lib/text.ts';

const MOST_REASONS = 3;

/** `99.8 %`, rounded down, so that only all of them are 100 %. */
export function pairShare({ possible, exercised }: Pick<PairCoverage, 'possible' | 'exercised'>): string {
  return possible === 0 ? '' : `${Math.floor((exercised / possible) * 1000) / 10} %`;
}

/** Why pairs were not tried, the most frequent reason first: `2 657 (no record holds such a value), 23 (no record)`. */
export function missingWords(missing: PairCoverage['missing'], most = MOST_REASONS): string {
  const reasons = Object.entries(missing).sort(([, one], [, other]) => other - one);
  const rest = reasons.slice(most).reduce((sum, [, number]) => sum + number, 0);
  return [
    ...reasons.slice(0, most).map(([why, number]) => `${count(number)} (${why})`),
    ...(rest === 0 ? [] : [`${count(rest)} (other reasons)`]),
  ].join(', ');
}

/** `pairs of conditions: 74 301 of 75 402 tried; of the others: 1 000 (no record holds such a value)`; empty if the run tried none. */
export function pairLines({ conformance }: Pick<Report, 'conformance'>): readonly string[] {
  const families = conformance?.pairs ?? [];
  if (families.length === 0) return [];
  const sum = (name: 'possible' | 'exercised') => families.reduce((total, family) => total + family[name], 0);
  const missing: Record<string, number> = {};
  for (const [why, number] of families.flatMap((family) => Object.entries(family.missing)))
    missing[why] = (missing[why] ?? 0) + number;
  const not = sum('exercised') === sum('possible') ? '' : `; of the others: ${missingWords(missing)}`;
  return [`pairs of conditions: ${count(sum('exercised'))} of ${count(sum('possible'))} exercised${not}`];
}
