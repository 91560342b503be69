import { count } from '../../lib/numbers.ts';
import type { PairCoverage } from '../../lib/records/conformance.ts';
import type { Report } from '../../lib/records/report.ts';

/** Reasons that a line names; the others are counted together. */
const MOST_REASONS = 3;

/** Pairs tried of those possible, over all families; undefined if the run tried none. */
function pairTotals({
  conformance,
}: Pick<Report, 'conformance'>): Pick<PairCoverage, 'possible' | 'exercised' | 'missing'> | undefined {
  const families = conformance?.pairs ?? [];
  if (families.length === 0) return undefined;
  const missing = new Map<string, number>();
  for (const family of families)
    for (const [why, number] of Object.entries(family.missing)) missing.set(why, (missing.get(why) ?? 0) + number);
  return {
    possible: families.reduce((sum, { possible }) => sum + possible, 0),
    exercised: families.reduce((sum, { exercised }) => sum + exercised, 0),
    missing: Object.fromEntries(missing),
  };
}

/** `99.8 %`, rounded down, so that only all of them are 100 %. */
export function pairShare({ possible, exercised }: Pick<PairCoverage, 'possible' | 'exercised'>): string {
  return possible === 0 ? '' : `${Math.floor((exercised / possible) * 1000) / 10} %`;
}

/** Why pairs were not tried, the most frequent reason first: `2 657 no record holds such a value; 23 no record`. */
export function missingWords(missing: PairCoverage['missing'], most = MOST_REASONS): string {
  const reasons = Object.entries(missing).sort(([, one], [, other]) => other - one);
  const rest = reasons.slice(most).reduce((sum, [, number]) => sum + number, 0);
  return [
    ...reasons.slice(0, most).map(([why, number]) => `${count(number)} ${why}`),
    ...(rest === 0 ? [] : [`${count(rest)} for other reasons`]),
  ].join('; ');
}

/** `pairs of conditions: 74 301 of 75 402 tried; not: 1 000 no record holds such a value`; empty if the run tried none. */
export function pairLines(report: Pick<Report, 'conformance'>): readonly string[] {
  const totals = pairTotals(report);
  if (totals === undefined) return [];
  const not = totals.exercised === totals.possible ? '' : `; not: ${missingWords(totals.missing)}`;
  return [`pairs of conditions: ${count(totals.exercised)} of ${count(totals.possible)} exercised${not}`];
}
