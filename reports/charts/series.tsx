import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { CellReport } from '../../lib/records/load/load.ts';
import type { Series } from '../../lib/records/load/series.ts';
import { rounded, thinned } from './points.ts';
import { LEFT, RIGHT, WIDTH } from './timeline.tsx';

const [TOP, BOTTOM, HEIGHT] = [22, 66, 74];
/** More points than this cannot be told apart on the chart. */
const MOST_POINTS = 240;

function wordsOf({ name, limit, points }: Series): string {
  if (points.length === 0) return `${name}: no value came`;
  return `${name}${limit === undefined ? '' : `, at its end at ${limit}`}`;
}

/** One thing over the time of the cell, on the axis of its rates and times, with its limit where that is known. */
export function Strip({ series, end, words = wordsOf(series) }: { series: Series; end: number; words?: string }) {
  const { limit, points } = series;
  const values = points.map(([, value]) => value);
  const most = Math.max(limit ?? 0, ...values) * 1.1 || 1;
  const x = scaleLinear([0, end], [LEFT, WIDTH - RIGHT]);
  const y = scaleLinear([Math.min(0, ...values), most], [BOTTOM, TOP]);
  const path = line<Series['points'][number]>()
    .x(([at]) => rounded(x(at)))
    .y(([, value]) => rounded(y(value)))(thinned(points, MOST_POINTS));
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${words}, over ${end} seconds`}>
      {y.ticks(2).map((value) => (
        <text x={LEFT - 6} y={rounded(y(value)) + 4} text-anchor="end">
          {y.tickFormat(2, 's')(value)}
        </text>
      ))}
      {limit === undefined ? (
        ''
      ) : (
        <line class="limit" x1={LEFT} x2={WIDTH - RIGHT} y1={rounded(y(limit))} y2={rounded(y(limit))} />
      )}
      <path class="line a" d={path ?? ''} />
      <text class="a" x={LEFT + 8} y={TOP - 8}>
        — {words}
      </text>
    </svg>
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
