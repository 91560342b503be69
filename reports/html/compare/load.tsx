import { count } from '../../../lib/numbers.ts';
import type { Bucket, CellReport } from '../../../lib/records/load/load.ts';
import { Below, Chart, Grid, Key, marksOf, Path, plotOf } from '../../charts/frame.tsx';
import { SpectrumChart } from '../../charts/spectrum.tsx';
import type { CellComparison, LoadComparison } from '../../compare/load.ts';
import { nameOf } from '../../compare/same-load.ts';
import { Section } from '../page/parts.tsx';

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
    .filter((cell) => nameOf(cell) === nameOf(compared))
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
      <Grid plot={plot} words={(tick) => (tick >= 1000 ? count(tick) : String(tick))} />
      {lines.map(({ mark, points }) => (
        <Path plot={plot} mark={mark} points={points} />
      ))}
      <Key plot={plot} marks={marks} />
      <Below plot={plot} words={(tick) => `${tick} s`} />
    </Chart>
  );
}

export function LoadCharts(props: {
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
            <h3>{nameOf(cell)}</h3>
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
