import type { Report } from '../../../lib/records/report.ts';
import { inert } from '../../../lib/text.ts';
import { type Comparison, OUTCOMES } from '../../compare/comparison.ts';
import { comparisonSections } from '../../compare/document.ts';
import { Sections } from '../page/document.tsx';
import { Lines, Top } from '../page/parts.tsx';
import { pageText } from '../page/shell.tsx';
import { LoadCharts } from './load.tsx';

const LONGEST = 600;

/** The comparison as one HTML file. `before` and `after` are all runs of each side: their cells are drawn over each other. */
export function renderComparison(given: Comparison, before: readonly Report[], after: readonly Report[]): string {
  const comparison = inert(given, LONGEST);
  const cells = (side: readonly Report[]) => side.flatMap(({ load }) => inert(load?.cells ?? [], LONGEST));
  const { outcome, reasons, load } = comparison;
  const { words, tone, exit } = OUTCOMES[outcome];
  const ids = [comparison.before.run.runId, comparison.after.run.runId];
  return pageText({
    title: `${words} · ${ids.join(' and ')}`,
    top: (
      <Top tone={tone} brand={`ers-harness · comparison of ${ids.join(' with ')}`}>
        <h1>{words}</h1>
        <Lines
          class="why"
          lines={[...reasons.slice(0, 20), ...(reasons.length > 20 ? [`and ${reasons.length - 20} more`] : [])]}
        />
        <p class="lead">Exit code {exit}</p>
      </Top>
    ),
    footer: 'This page loads nothing, sends nothing and runs no script.',
    children: (
      <>
        <Sections sections={comparisonSections(comparison)} />
        {load && <LoadCharts comparison={load} before={cells(before)} after={cells(after)} />}
      </>
    ),
  });
}
