import { loadCellName } from '../../../lib/judge/cell/judge-load.ts';
import type { Bucket, CellReport } from '../../../lib/records/load/load.ts';
import type { Report } from '../../../lib/records/report.ts';
import { inert } from '../../../lib/text.ts';
import { Below, Chart, Grid, Key, marksOf, Path, plotOf } from '../../charts/frame.tsx';
import { SpectrumChart } from '../../charts/spectrum.tsx';
import { type Comparison, OUTCOMES } from '../../compare/comparison.ts';
import { comparisonSections } from '../../compare/document.ts';
import type { CellComparison, LoadComparison } from '../../compare/load.ts';
import { Sections } from '../page/document.tsx';
import { Lines, Section, Top } from '../page/parts.tsx';
import { pageText } from '../page/shell.tsx';

/** Runs of a side that are drawn; more lines cannot be told apart. */
const MOST_DRAWN = 5;

/** A cell of one side: a full line, or a dashed one. */
interface Drawn {
  readonly name: 'before' | 'after';
  readonly mark: 'a' | 'b';
  readonly cell: CellReport;
}

function drawnCells(side: readonly CellReport[], compared: CellComparison, name: Drawn['name']): Drawn[] {
  const mark = name === 'before' ? 'a' : 'b';
  return side
    .filter((cell) => loadCellName(cell) === loadCellName(compared))
    .slice(0, MOST_DRAWN)
    .map((cell) => ({ name, mark, cell }));
}

type Figure = 'achievedPerSecond' | 'responseP99Ms';

/** One figure of several cells over the time of each, laid over each other; a line is broken where it has no value. */
function Course({ caption, drawn, figure }: { caption: string; drawn: readonly Drawn[]; figure: Figure }) {
  const middle = ({ startSeconds }: Bucket, { facts }: CellReport) => startSeconds + facts.plan.bucketSeconds / 2;
  const lines = drawn.map(({ mark, cell }) => ({
    mark,
    points: cell.buckets.map((bucket) => [middle(bucket, cell), bucket[figure]] as const),
  }));
  const all = lines.flatMap(({ points }) => points);
  const values = all.flatMap(([, value]) => value ?? []);
  if (values.length === 0) return <p class="soft">{caption}: no value, too many arrivals were not served.</p>;
  const end = Math.max(...all.map(([seconds]) => seconds), 1);
  const plot = plotOf({ x: [0, end], y: [0, Math.max(...values, 0.1) * 1.1], up: [156, 20] });
  const marks = marksOf(drawn);
  const label = `${caption}, over ${Math.round(end)} seconds: ${marks.map(([, name]) => name).join(' and ')}`;
  return (
    <Chart caption={caption} label={label} height={190}>
      <Grid plot={plot} />
      {lines.map(({ mark, points }) => (
        <Path plot={plot} mark={mark} points={points} />
      ))}
      <Key plot={plot} marks={marks} />
      <Below plot={plot} words={(tick) => `${tick} s`} />
    </Chart>
  );
}

function LoadCharts(props: {
  readonly comparison: LoadComparison;
  readonly before: readonly CellReport[];
  readonly after: readonly CellReport[];
}) {
  const { comparison, before, after } = props;
  return (
    <Section id="charts" title="Load of both, over each other">
      {comparison.cells.map((cell) => {
        const drawn = [...drawnCells(before, cell, 'before'), ...drawnCells(after, cell, 'after')];
        const spectrum = (latency: 'serviceTime' | 'responseTime') =>
          drawn.map(({ name, mark, cell: one }) => ({ name, mark, latency: one[latency] }));
        return (
          <>
            <h3>{loadCellName(cell)}</h3>
            <div class="charts">
              <SpectrumChart caption="Service time by percentile, milliseconds" lines={spectrum('serviceTime')} />
              <SpectrumChart caption="Response time by percentile, milliseconds" lines={spectrum('responseTime')} />
              <Course caption="Successes per second" drawn={drawn} figure="achievedPerSecond" />
              <Course caption="Response p99, milliseconds" drawn={drawn} figure="responseP99Ms" />
            </div>
          </>
        );
      })}
    </Section>
  );
}

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
