import type { Bucket, CellReport } from '../../lib/records/load/load.ts';
import type { Series } from '../../lib/records/load/parts.ts';
import { Below, Chart, Grid, Key, Limit, Path, type Plot, plotOf, rounded, thinned } from './frame.tsx';

/** Share of the arrivals of each bucket that were not served, as bars from the top of the panel of response times. */
function Unserved({ buckets, plot, seconds }: { buckets: readonly Bucket[]; plot: Plot; seconds: number }) {
  const [bottom, top] = plot.up;
  return (
    <>
      {buckets.map(({ startSeconds, scheduled, succeeded }) => {
        if (succeeded >= scheduled) return '';
        const from = plot.x(startSeconds);
        const height = rounded(Math.max(1, (bottom - top) * (1 - succeeded / scheduled)));
        const width = rounded(Math.max(1, plot.x(startSeconds + seconds) - from));
        return <rect class="lost" x={from} y={top} width={width} height={height} />;
      })}
    </>
  );
}

type Figure = 'offeredPerSecond' | 'achievedPerSecond' | 'responseP50Ms' | 'responseP99Ms';

/** Over the time of the cell, by intended start: rates, and response time beside the share that was not served. */
export function Timeline({ cell }: { cell: CellReport }) {
  const buckets = thinned(cell.buckets);
  if (buckets.length === 0) return <p class="soft">No course over time: no bucket was recorded.</p>;
  const { targetPerSecond, bucketSeconds } = cell.facts.plan;
  const highest = (...names: readonly Figure[]) =>
    Math.max(...buckets.flatMap((bucket) => names.map((name) => bucket[name] ?? 0)));
  const points = (name: Figure) =>
    buckets.map((bucket) => [bucket.startSeconds + bucketSeconds / 2, bucket[name]] as const);
  const end = Math.max(...buckets.map(({ startSeconds }) => startSeconds)) + bucketSeconds;
  const most = Math.max(targetPerSecond, highest('offeredPerSecond', 'achievedPerSecond')) * 1.1;
  const rates = plotOf({ x: [0, end], y: [0, most], up: [108, 20] });
  // Where more than one in a hundred was not served there is no p99, and p50 alone sets the scale.
  const longest = highest('responseP99Ms', 'responseP50Ms');
  const times = plotOf({ x: [0, end], y: [0, Math.max(longest * 1.1, 0.1)], up: [216, 134] });
  const isLost = buckets.some(({ scheduled, succeeded }) => succeeded < scheduled);
  const low = Math.min(...buckets.map(({ achievedPerSecond }) => achievedPerSecond));
  return (
    <Chart
      caption={`Over time, by intended start: rate per second, and response time in milliseconds${isLost ? '; a percentile has no value where too many were not served' : ''}`}
      label={`Rates and response times over ${end} seconds; lowest achieved rate ${low.toFixed(1)} per second`}
      height={250}
    >
      <Grid plot={rates} ticks={3} />
      <Limit plot={rates} y={targetPerSecond} />
      <Path plot={rates} mark="b" points={points('offeredPerSecond')} />
      <Path plot={rates} mark="a" points={points('achievedPerSecond')} />
      <Key
        plot={rates}
        marks={[
          ['a', 'achieved'],
          ['b', 'sent'],
          ['', `··· scheduled ${targetPerSecond}/s`],
        ]}
      />
      <Grid plot={times} ticks={3} />
      <Unserved buckets={buckets} plot={times} seconds={bucketSeconds} />
      <Path plot={times} mark="a" points={points('responseP50Ms')} />
      <Path plot={times} mark="b" points={points('responseP99Ms')} />
      <Key
        plot={times}
        marks={[
          ['a', 'response p50'],
          ['b', 'response p99'],
          ...(isLost ? [['lost', '▮ share not served, top to bottom'] as const] : []),
        ]}
      />
      {buckets.every(({ responseP50Ms }) => responseP50Ms === null) && (
        <text x={302} y={199} text-anchor="middle">
          no percentile: more than half was not served
        </text>
      )}
      <Below plot={times} words={(seconds) => `${seconds} s`} />
    </Chart>
  );
}

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

/** What was taken beside a cell, below its rates and times; nothing if nothing was. */
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
