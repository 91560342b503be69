import type { CellReport } from '../../lib/records/load/load.ts';
import type { Series } from '../../lib/records/load/parts.ts';
import { Chart, Key, Limit, Path, plotOf } from './frame.tsx';

function wordsOf({ name, limit, points }: Series): string {
  if (points.length === 0) return `${name}: no value came`;
  return `${name}${limit === undefined ? '' : `, at its end at ${limit}`}`;
}

/** One thing over the time of the cell, on the axis of its rates and times, with its limit where that is known. */
export function Strip({ series, end, words = wordsOf(series) }: { series: Series; end: number; words?: string }) {
  const { limit, points } = series;
  const values = points.map(([, value]) => value);
  const most = Math.max(limit ?? 0, ...values) * 1.1 || 1;
  const plot = plotOf({ x: [0, end], y: [Math.min(0, ...values), most], up: [66, 22] });
  const { y } = plot.scales;
  return (
    <Chart label={`${words}, over ${end} seconds`} height={74}>
      {y.ticks(2).map((value) => (
        <text x={plot.across[0] - 6} y={plot.y(value) + 4} text-anchor="end">
          {y.tickFormat(2, 's')(value)}
        </text>
      ))}
      {limit !== undefined && <Limit plot={plot} y={limit} />}
      <Path plot={plot} mark="a" points={points} />
      <Key plot={plot} marks={[['a', words]]} />
    </Chart>
  );
}

/** What was taken beside a cell, below its rates and times; nothing where nothing was. */
export function SeriesStrips({ cell: { facts, buckets } }: { cell: CellReport }) {
  const { series = [], plan } = facts;
  const last = buckets.at(-1);
  if (series.length === 0 || last === undefined) return '';
  return (
    <figure>
      <figcaption>Beside it, on the same axis of time</figcaption>
      {series.map((one) => (
        <Strip series={one} end={last.startSeconds + plan.bucketSeconds} />
      ))}
    </figure>
  );
}
