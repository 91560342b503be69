import type { CellReport, Latency } from '../../lib/records/load/load.ts';
import { decodeHistogram } from '../../lib/stats/latency.ts';
import { millis } from '../../lib/text.ts';
import { Chart, Grid, Key, Limit, marksOf, Path, plotOf } from './frame.tsx';

/** `inverse`: 1 / (1 − share of arrivals at or below); 2 is the median, 100 is p99. */
type SpectrumPoint = Readonly<Record<'inverse' | 'ms', number>>;

/** Shares at which a spectrum is read: evenly spaced on its logarithmic axis. */
const STEPS_PER_DECADE = 12;

/** Arrivals that were not served rank above every served one, so the curve ends where they begin. Empty if the histogram cannot be read. */
function spectrumPoints(latency: Latency): readonly SpectrumPoint[] {
  const total = latency.count + latency.unserved;
  if (latency.count === 0 || latency.hdr === '') return [];
  let histogram: ReturnType<typeof decodeHistogram>;
  try {
    histogram = decodeHistogram(latency.hdr);
  } catch {
    return [];
  }
  const points: SpectrumPoint[] = [];
  const highestMs = latency.maxServedMs ?? 0;
  for (let step = 0; 10 ** (step / STEPS_PER_DECADE) <= total; step += 1) {
    const inverse = 10 ** (step / STEPS_PER_DECADE);
    const rank = Math.ceil((1 - 1 / inverse) * total);
    if (rank > latency.count) return points;
    const us = histogram.getValueAtPercentile((Math.max(rank, 1) / latency.count) * 100);
    points.push({ inverse, ms: Math.min(us / 1000, highestMs) });
  }
  if (latency.unserved === 0) points.push({ inverse: total, ms: highestMs });
  return points;
}

/** Places on the axis that have their percentile below them. */
const MARKED = [1, 2, 10, 100, 1000, 10_000, 100_000];

/** One latency to draw; latencies of one name share their legend. */
export interface SpectrumLine {
  readonly name: string;
  /** `a` is a full line, `b` a dashed one. */
  readonly mark: 'a' | 'b';
  readonly latency: Latency;
}

/** Nothing is drawn below this: the axis is logarithmic. */
const LEAST_MS = 0.01;

/** Latencies over 1 / (1 − percentile), both logarithmic: the tail has as much room as the middle. */
export function SpectrumChart({ caption, lines }: { caption: string; lines: readonly SpectrumLine[] }) {
  const series = lines.map(({ name, mark, latency }) => ({ name, mark, points: spectrumPoints(latency) }));
  const all = series.flatMap(({ points }) => points);
  if (all.length === 0) return <p class="soft">No percentile spectrum: no transaction was served.</p>;
  const values = all.map(({ ms }) => Math.max(ms, LEAST_MS));
  const most = Math.max(...all.map(({ inverse }) => inverse), 10);
  const plot = plotOf({ x: [1, most], y: [Math.min(...values), Math.max(...values) * 1.05], up: [216, 20], log: 'xy' });
  plot.scales.y.nice();
  const words = series.map(({ name, points }) => `${name} up to ${millis(points.at(-1)?.ms ?? null)}`).join(', ');
  return (
    <Chart caption={caption} label={`${caption}: ${words}`} height={250}>
      <Grid plot={plot} />
      {MARKED.filter((inverse) => inverse <= most).map((inverse) => (
        <>
          <Limit plot={plot} class="grid" x={inverse} />
          <text x={plot.x(inverse)} y={plot.up[0] + 16} text-anchor="middle">
            {Number((100 - 100 / inverse).toFixed(3))} %
          </text>
        </>
      ))}
      {series.map(({ mark, points }) => (
        <Path plot={plot} mark={mark} points={points.map(({ inverse, ms }) => [inverse, Math.max(ms, LEAST_MS)])} />
      ))}
      <Key plot={plot} marks={marksOf(series)} />
    </Chart>
  );
}

export function Spectrum({ cell }: { cell: CellReport }) {
  const lines: readonly SpectrumLine[] = [
    { name: 'service', mark: 'a', latency: cell.serviceTime },
    { name: 'response', mark: 'b', latency: cell.responseTime },
  ];
  return <SpectrumChart caption="Percentile spectrum, milliseconds" lines={lines} />;
}
