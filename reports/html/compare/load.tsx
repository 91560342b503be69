import { ms } from '../../../lib/numbers.ts';
import type { Bucket, CellReport } from '../../../lib/records/load/load.ts';
import { Course, type CourseLine } from '../../charts/course.tsx';
import { SpectrumChart, type SpectrumLine } from '../../charts/spectrum.tsx';
import type { CellComparison, LoadComparison } from '../../compare/load.ts';
import { fewRunsWords, verdictWords } from '../../compare/load-lines.ts';
import { Mark } from '../page/mark.tsx';
import { Lines, Section, Table } from '../page/parts.tsx';

/** Cells of the runs of one side, run by run. */
export type SideCells = readonly (readonly CellReport[])[];

/** Runs of a side that are drawn; more lines cannot be told apart. */
const MOST_DRAWN = 5;

const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(2)}`;

const TONES: Readonly<Record<CellComparison['verdict'], string>> = {
  worse: 'bad',
  differs: 'open',
  'not comparable': 'open',
  better: '',
  'no difference shown': '',
};

function Differences({ cell }: { cell: CellComparison }) {
  if (cell.differences.length === 0) return null;
  return (
    <Table
      label={`Differences of ${cell.profile} ${cell.operation}`}
      caption="Milliseconds. The interval of a difference holds in 95 of 100 for all rows together. The smallest detectable change is half its width."
      rows={cell.differences}
      tone={({ decides, verdict }) => (decides ? TONES[verdict] : '')}
      columns={[
        ['Latency', ({ latency, percentile }) => `${latency} ${percentile}`, 'row'],
        ['Before', ({ beforeMs }) => ms(beforeMs), 'figures'],
        ['After', ({ afterMs }) => ms(afterMs), 'figures'],
        ['Difference', ({ differenceMs }) => (differenceMs === null ? '—' : signed(differenceMs)), 'figures'],
        ['Interval', ({ intervalMs }) => intervalMs?.map(signed).join(' to ') ?? '—', 'figures'],
        ['Smallest detectable', ({ smallestShownMs }) => smallestShownMs?.toFixed(2) ?? '—', 'figures'],
        ['Verdict', ({ decides, verdict }) => (decides ? verdict : 'too few samples to decide')],
      ]}
    />
  );
}

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

/** The cells that both sides have, each with its differences and its charts over each other. */
export function LoadPart({
  comparison,
  before,
  after,
}: {
  comparison: LoadComparison;
  before: SideCells;
  after: SideCells;
}) {
  const { cells, onlyBefore, onlyAfter } = comparison;
  return (
    <Section id="load" title="Load">
      <p class="lead">{fewRunsWords(comparison)}</p>
      {cells.map((cell) => {
        const drawn = [...drawnCells(before, cell, 'before'), ...drawnCells(after, cell, 'after')];
        return (
          <>
            <h3>
              {cell.profile} {cell.operation}: {verdictWords(cell)}
            </h3>
            <p>
              <Mark verdict={cell.before} /> before, <Mark verdict={cell.after} /> after
            </p>
            <Lines lines={cell.reasons} />
            <Differences cell={cell} />
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
      <Lines
        lines={[
          ...onlyBefore.map((name) => `${name}: only in the first run`),
          ...onlyAfter.map((name) => `${name}: only in the second run`),
        ]}
      />
    </Section>
  );
}
