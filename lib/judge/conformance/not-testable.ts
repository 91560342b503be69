import { groupBy } from '../../group-by.ts';
import { counted } from '../../numbers.ts';
import type { ConformanceResult } from '../../records/conformance.ts';
import type { Report } from '../../records/report.ts';
import { some } from '../../text.ts';

const each = (results: readonly ConformanceResult[], pick: (result: ConformanceResult) => string) => [
  ...new Set(results.map(pick)),
];

/**
 * The results that cannot be tested on this target, by what would make them testable (`--mode own-data`, `a second record with another
 * description`), the most frequent need first; with why they cannot, each reason once.
 */
export function notTestable({ conformance }: Pick<Report, 'conformance'>) {
  const results = (conformance?.results ?? []).filter(({ verdict }) => verdict === 'not-testable');
  return [...groupBy(results, ({ needs, reason }) => needs ?? `not known: ${reason ?? 'no reason is recorded'}`)]
    .map(([needs, own]) => ({
      needs,
      families: each(own, ({ family }) => family),
      checks: each(own, ({ checkId }) => checkId),
      reasons: each(own, ({ reason }) => reason ?? '').filter((reason) => reason !== ''),
      results: own,
    }))
    .sort((a, b) => b.results.length - a.results.length || a.needs.localeCompare(b.needs, 'en'));
}

/** Number of results that the target cannot show; what a mode rules out is said apart. */
export const hiddenByTarget = (report: Pick<Report, 'conformance'>): number =>
  notTestable(report)
    .filter(({ needs }) => !needs.startsWith('--mode '))
    .reduce((sum, { results }) => sum + results.length, 0);

/** One line for each need: `a second record: 3 results in node (filter/operator, sort/field)`. */
export function notTestableLines(report: Pick<Report, 'conformance'>): readonly string[] {
  return notTestable(report).map(
    ({ needs, families, checks, results }) =>
      `${needs}: ${counted(results.length, 'result')} in ${some(families, 3)} (${some(checks, 3)})`,
  );
}
