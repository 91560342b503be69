import type { Bucket, CellReport } from '../../../lib/records/load/load.ts';
import { Course, type CourseLine } from '../../charts/course.tsx';
import { SpectrumChart, type SpectrumLine } from '../../charts/spectrum.tsx';
import type { CellComparison, LoadComparison } from '../../compare/load.ts';
import { Section } from '../page/parts.tsx';

/** Cells of the runs of one side, run by run. */
export type SideCells = readonly (readonly CellReport[])[];

/** Runs of a side that are drawn; more lines cannot be told apart. */
const MOST_DRAWN = 5;

interface Drawn {
  readonly name: 'before' | 'after';
  readonly mark: 'a' | 'b';
  readonly cell: CellReport;
}

function drawnCells(side: SideCells, { profile, operation }: CellComparison, name: Drawn['name']): Drawn[] {
  const mark = name === 'before' ? 'a' : 'b';
  return side
    .flat()
    .filter((cell) => cell.profile === profile && cell.operation === operation)
    .slice(0, MOST_DRAWN)
    .map((cell) => ({ name, mark, cell }));
}

function courses(drawn: readonly Drawn[], pick: (bucket: Bucket) => number | null): CourseLine[] {
  return drawn.map(({ name, mark, cell }) => ({
    ...{ name, mark },
    points: cell.buckets.map((bucket) => [bucket.startSeconds + cell.facts.plan.bucketSeconds / 2, pick(bucket)]),
  }));
}

function spectra(drawn: readonly Drawn[], latency: 'serviceTime' | 'responseTime'): SpectrumLine[] {
  return drawn.map(({ name, mark, cell }) => ({ name, mark, latency: cell[latency] }));
}

/** The cells that both sides have, each with the charts of both over each other. */
export function LoadCharts(props: { comparison: LoadComparison; before: SideCells; after: SideCells }) {
  const { comparison, before, after } = props;
  return (
    <Section id="charts" title="Load of both, over each other">
      {comparison.cells.map((cell) => {
        const drawn = [...drawnCells(before, cell, 'before'), ...drawnCells(after, cell, 'after')];
        return (
          <>
            <h3>
              {cell.profile} {cell.operation}
            </h3>
            <div class="charts">
              <SpectrumChart caption="Service time by percentile, milliseconds" lines={spectra(drawn, 'serviceTime')} />
              <SpectrumChart
                caption="Response time by percentile, milliseconds"
                lines={spectra(drawn, 'responseTime')}
              />
              <Course caption="Successes per second" lines={courses(drawn, (bucket) => bucket.achievedPerSecond)} />
              <Course caption="Response p99, milliseconds" lines={courses(drawn, (bucket) => bucket.responseP99Ms)} />
            </div>
          </>
        );
      })}
    </Section>
  );
}
