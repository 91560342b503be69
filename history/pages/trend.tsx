import { counted, ms, percent } from '../../lib/numbers.ts';
import { Chart, Grid, Limit, Path, plotOf } from '../../reports/charts/frame.tsx';
import { METRICS, type Metric, type Series } from '../model/schema.ts';

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
  const plot = plotOf({ x: [first.time, Math.max(last.time, first.time + 1)], y: [0, most], up: [160, 12] });
  const changes = (series.changes ?? []).filter((change) => change.metric === metric);
  const [left, right] = plot.across;
  return (
    <Chart
      caption={`${title}: ${ms(first.value)} → ${ms(last.value)}${unit}${changes.length === 0 ? '' : `, ${counted(changes.length, 'change')}`}`}
      label={`${title} of ${series.name} over ${held.length} nights`}
      height={190}
    >
      <Grid plot={plot} words={ms} />
      <Path plot={plot} mark="a" points={held.map(({ time, value }) => [time, value])} />
      {changes.map(({ at, worse, size }) => {
        const x = plot.x(Date.parse(at));
        return (
          <>
            <Limit plot={plot} class={worse ? 'limit' : 'held'} x={Date.parse(at)} />
            <text class={worse ? '' : 'held'} x={Math.min(x + 4, right - 46)} y={22}>
              {size > 0 ? '+' : '−'}
              {percent(Math.abs(size))}
            </text>
          </>
        );
      })}
      <text x={left} y={182}>
        {first.at.slice(0, 10)}
      </text>
      <text x={right} y={182} text-anchor="end">
        {last.at.slice(0, 10)}
      </text>
    </Chart>
  );
}
