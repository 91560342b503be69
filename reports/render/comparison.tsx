import type { Report } from '../../lib/records/report.ts';
import { inert } from '../../lib/text.ts';
import type { Comparison } from '../compare/comparison.ts';
import { ComparisonPage } from '../html/compare/page.tsx';

/** Longest text that the page shows. */
const LONGEST = 600;

/** The comparison as one HTML file. `before` and `after` are all runs of each side: their cells are drawn over each other. */
export function renderComparison(comparison: Comparison, before: readonly Report[], after: readonly Report[]): string {
  const cells = (side: readonly Report[]) => side.map(({ load }) => inert(load?.cells ?? [], LONGEST));
  const page = <ComparisonPage comparison={inert(comparison, LONGEST)} before={cells(before)} after={cells(after)} />;
  return `<!doctype html>\n${page.toString()}\n`;
}
