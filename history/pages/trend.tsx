import { scaleLinear } from 'd3-scale';
import { ms, percent } from '../../lib/numbers.ts';
import { rounded, thinned } from '../../reports/charts/points.ts';
import { METRICS, type Metric, type Series } from '../model/series.ts';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [560, 190, 52, 10, 12, 160];
/** Points of a line; more than the chart has room for only make the page longer. */
const MOST_POINTS = 500;

/** One metric of a series over its nights; each change point is a line with its size. */
export function Trend({ series, metric }: { readonly series: Series; readonly metric: Metric }) {
  const held = series.points.flatMap(({ at, values }) => {
    const value = values[metric];
    return value === undefined ? [] : [{ time: Date.parse(at), value, at }];
  });
  const [first, last] = [held[0], held.at(-1)];
  if (first === undefined || last === undefined || held.length < 2) return null;
  const { title, unit } = METRICS[metric];
  const most = Math.max(...held.map(({ value }) => value)) * 1.1 || 1;
  const x = scaleLinear([first.time, Math.max(last.time, first.time + 1)], [LEFT, WIDTH - RIGHT]);
  const y = scaleLinear([0, most], [BOTTOM, TOP]);
  const line = thinned(held, MOST_POINTS)
    .map(({ time, value }) => `${rounded(x(time))} ${rounded(y(value))}`)
    .join('L');
  const changes = (series.changes ?? []).filter((change) => change.metric === metric);
  return (
    <figure>
      <figcaption>
        {title}: {ms(first.value)} → {ms(last.value)}
        {unit}
        {changes.length === 0 ? '' : `, ${changes.length === 1 ? '1 change' : `${changes.length} changes`}`}
      </figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title} of ${series.name} over ${held.length} nights`}
      >
        {y.ticks(4).map((tick) => (
          <>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={rounded(y(tick))} y2={rounded(y(tick))} />
            <text x={LEFT - 6} y={rounded(y(tick)) + 4} text-anchor="end">
              {ms(tick)}
            </text>
          </>
        ))}
        <path class="a line" d={`M${line}`} />
        {changes.map((change) => {
          const at = rounded(x(Date.parse(change.at)));
          return (
            <>
              <line class={change.worse ? 'limit' : 'held'} x1={at} x2={at} y1={TOP} y2={BOTTOM} />
              <text class={change.worse ? '' : 'held'} x={Math.min(at + 4, WIDTH - 60)} y={TOP + 10}>
                {change.size > 0 ? '+' : '−'}
                {percent(Math.abs(change.size))}
              </text>
            </>
          );
        })}
        <text x={LEFT} y={HEIGHT - 8}>
          {first.at.slice(0, 10)}
        </text>
        <text x={WIDTH - RIGHT} y={HEIGHT - 8} text-anchor="end">
          {last.at.slice(0, 10)}
        </text>
      </svg>
    </figure>
  );
}
