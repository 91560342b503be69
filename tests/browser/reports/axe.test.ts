import { describe, expect, it } from 'vitest';
import type { Report } from '../../../lib/records/report.ts';
import { compareRuns } from '../../../reports/compare/comparison.ts';
import { renderComparison } from '../../../reports/html/compare/page.tsx';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { renderCapacity } from '../../../reports/render/capacity.tsx';
import { aCapacityReport, aMeasuredCapacity } from '../../helpers/a-capacity-report.ts';
import { aLoadRun, withoutSamples } from '../../helpers/a-load-run.ts';
import { aMixedReport, aMixedRun, judgedRun } from '../../helpers/a-report.ts';
import { fullResults } from '../../helpers/a-run.ts';
import { axeViolations, LOOKS, printedPages } from '../../helpers/axe.ts';
import { browserOfTests } from '../../helpers/browser.ts';

const browser = await browserOfTests();

const green = (): Report => judgedRun({ results: fullResults() });
const mixed = aMixedReport();

/** Three runs a side of which the later ones are slower, with a check that newly fails. */
function compared(): string {
  const [before, ...others] = [1, 2, 3].map((seed) => aLoadRun(seed));
  const [after, ...later] = [4, 5, 6].map((seed) => aLoadRun(seed, 1.3));
  if (before === undefined || after === undefined) throw new Error('no runs');
  const withResults = (run: typeof before, { conformance }: Report) => ({
    ...run,
    report: { ...run.report, conformance },
  });
  const sides = [
    [withResults(before, green()), ...others],
    [withResults(after, mixed), ...later],
  ] as const;
  const reports = sides.map((side) => side.map(({ report }) => report));
  return renderComparison(compareRuns(...sides), reports[0] ?? [], reports[1] ?? []);
}

const PAGES = {
  green: renderHtml(green(), []),
  failing: renderHtml({ ...mixed, load: null }, aMixedRun().exchanges),
  violated: renderHtml({ ...mixed, conformance: null }, []),
  capacity: renderHtml(aCapacityReport(), []),
  'capacity statement': renderCapacity(aCapacityReport())[0]?.content ?? '',
  'capacity statement with a curve': renderCapacity(aMeasuredCapacity())[0]?.content ?? '',
  compare: compared(),
  'compare of runs with nothing in common': renderComparison(
    compareRuns([withoutSamples(green())], [withoutSamples({ ...mixed, conformance: null })]),
    [green()],
    [mixed],
  ),
};
describe.each(Object.entries(PAGES))('the %s page', (_name, html) => {
  it('prints on four pages at most', async () => {
    expect(await printedPages(browser(), html)).toBeLessThanOrEqual(4);
  });

  it.each(Object.entries(LOOKS))('has no violation of axe, %s', async (_look, look) => {
    expect(await axeViolations(browser(), html, look)).toEqual([]);
  });
});
