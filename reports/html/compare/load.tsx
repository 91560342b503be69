import { ms } from '../../../lib/numbers.ts';
import type { Bucket, CellReport } from '../../../lib/records/load/load.ts';
import { Course, type CourseLine } from '../../charts/course.tsx';
import { SpectrumChart, type SpectrumLine } from '../../charts/spectrum.tsx';
import type { CellComparison, LoadComparison } from '../../compare/load.ts';
import type { Difference } from '../../compare/load-difference.ts';
import { fewRunsWords, verdictWords } from '../../compare/load-lines.ts';
import { Head } from '../page/head.tsx';
import { Mark } from '../page/mark.tsx';

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

function Row({ difference }: { difference: Difference }) {
  const { latency, percentile, beforeMs, afterMs, differenceMs, intervalMs, smallestShownMs, verdict, decides } =
    difference;
  return (
    <tr class={decides ? TONES[verdict] : ''}>
      <th scope="row">
        {latency} {percentile}
      </th>
      <td class="num">{ms(beforeMs)}</td>
      <td class="num">{ms(afterMs)}</td>
      <td class="num">{differenceMs === null ? '—' : signed(differenceMs)}</td>
      <td class="num">{intervalMs === null ? '—' : intervalMs.map(signed).join(' to ')}</td>
      <td class="num">{smallestShownMs === null ? '—' : smallestShownMs.toFixed(2)}</td>
      <td>{decides ? verdict : 'too few samples to decide'}</td>
    </tr>
  );
}

function Differences({ cell }: { cell: CellComparison }) {
  if (cell.differences.length === 0) return null;
  return (
    <section class="wide plain" tabindex={0} aria-label={`Differences of ${cell.profile} ${cell.operation}`}>
      <table>
        <caption>
          Milliseconds. The interval of a difference holds in 95 of 100 for all rows together. The smallest detectable
          change is half its width.
        </caption>
        <Head
          columns={[
            'Latency',
            ...['Before', 'After', 'Difference', 'Interval', 'Smallest detectable'].map((figures) => ({ figures })),
            'Verdict',
          ]}
        />
        <tbody>
          {cell.differences.map((difference) => (
            <Row difference={difference} />
          ))}
        </tbody>
      </table>
    </section>
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
    points: cell.buckets.map((bucket) => ({
      seconds: bucket.startSeconds + cell.facts.plan.bucketSeconds / 2,
      value: pick(bucket),
    })),
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
    <section aria-labelledby="load">
      <h2 id="load">Load</h2>
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
            {cell.reasons.length === 0 ? (
              ''
            ) : (
              <ul>
                {cell.reasons.map((reason) => (
                  <li>{reason}</li>
                ))}
              </ul>
            )}
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
      <ul>
        {onlyBefore.map((name) => (
          <li>{name}: only in the first run</li>
        ))}
        {onlyAfter.map((name) => (
          <li>{name}: only in the second run</li>
        ))}
      </ul>
    </section>
  );
}
