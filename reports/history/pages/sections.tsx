import { counted, instant, ms, percent } from '../../../lib/numbers.ts';
import { Chart, Grid, Limit, Path, plotOf } from '../../charts/frame.tsx';
import { Blocks } from '../../html/page/document.tsx';
import { Section, Table } from '../../html/page/parts.tsx';
import { type HistoryReport, METRICS, type Metric, type Series } from '../model/schema.ts';
import { changeLines, list, nightState, TONES } from './lines.ts';

/** One metric of a series over its nights; each change point is a line with its size. */
function Trend({ series, metric }: { readonly series: Series; readonly metric: Metric }) {
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

export function SeriesSection({ report: { series } }: { readonly report: HistoryReport }) {
  if (series.length === 0) return null;
  return (
    <Section
      id="load"
      title="Load over time"
      lead="Only nights with the same profile, operation, rate, duration and connections share a series. Invalid cells are left out. Change points: E-divisive means with a t test at 0.1 %."
    >
      {series.map((one) => (
        <>
          <h3>{one.name}</h3>
          <p>
            {counted(one.points.length, 'night')}.{' '}
            {one.changes === null
              ? `Not enough to look for changes: ${one.missing} more comparable nights are needed.`
              : one.changes.length === 0 && 'No change of a mean.'}
          </p>
          <Blocks blocks={[list(changeLines(one))]} />
          <div class="charts">
            {(Object.keys(METRICS) as Metric[]).map((metric) => (
              <Trend series={one} metric={metric} />
            ))}
          </div>
        </>
      ))}
    </Section>
  );
}

type Night = HistoryReport['nights'][number];

const verdictText = ({ said, exit, counts }: Night): string => `${said} (exit ${exit})${counts ? '' : ', not counted'}`;

export function NightsSection(props: { readonly report: HistoryReport; readonly kept: ReadonlySet<string> }) {
  const { report, kept } = props;
  const link = ({ folder = '', run }: Night) =>
    kept.has(folder) ? <a href={`${encodeURIComponent(folder)}/index.html`}>{run}</a> : run;
  return (
    <Section id="all-nights" title="Nights">
      <Table
        label="Every night"
        class="lines"
        rows={report.nights.map((night, at) => ({ ...night, id: `night-${at + 1}` }))}
        tone={(night) => TONES[nightState(night)]}
        data={({ id }) => ({ id })}
        columns={[
          ['Night', ({ at }) => instant(at)],
          ['Verdict', verdictText],
          ['Run', link],
          ['Failing', ({ failing }) => failing, 'figures'],
          ['Changed since the night before', ({ changes }) => changes.join('; ')],
        ]}
      />
    </Section>
  );
}
