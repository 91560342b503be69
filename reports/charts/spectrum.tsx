import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { millis } from '../../lib/numbers.ts';
import type { CellReport, Latency } from '../../lib/records/load/load.ts';
import { rounded, type SpectrumPoint, spectrumPoints } from './points.ts';

const WIDTH = 560;
const HEIGHT = 250;
const LEFT = 52;
const RIGHT = 14;
const TOP = 20;
const BOTTOM = 34;

const SHARES: readonly (readonly [number, string])[] = [
  [1, '0 %'],
  [2, '50 %'],
  [10, '90 %'],
  [100, '99 %'],
  [1000, '99.9 %'],
  [10_000, '99.99 %'],
  [100_000, '99.999 %'],
];

/** One latency to draw; latencies of one name share their legend. */
export interface SpectrumLine {
  readonly name: string;
  /** `a` is a full line, `b` a dashed one. */
  readonly mark: 'a' | 'b';
  readonly latency: Latency;
}

/** Latencies over 1 / (1 − percentile), both logarithmic: the tail has as much room as the middle. */
export function SpectrumChart({ caption, lines }: { caption: string; lines: readonly SpectrumLine[] }) {
  const series = lines.map(({ name, mark, latency }) => ({ name, mark, points: spectrumPoints(latency) }));
  const all = series.flatMap(({ points }) => points);
  if (all.length === 0) return <p class="soft">No percentile spectrum: no transaction was served.</p>;
  const values = all.map((point) => Math.max(point.ms, 0.01));
  const x = scaleLog([1, Math.max(...all.map(({ inverse }) => inverse), 10)], [LEFT, WIDTH - RIGHT]);
  const y = scaleLog([Math.min(...values), Math.max(...values) * 1.05], [HEIGHT - BOTTOM, TOP]).nice();
  const path = line<SpectrumPoint>(
    (point) => rounded(x(point.inverse)),
    (point) => rounded(y(Math.max(point.ms, 0.01))),
  );
  const ticks = y.ticks(4).filter((value) => /^[125]/.test(value.toExponential()));
  const words = series.map(({ name, points }) => `${name} up to ${millis(points.at(-1)?.ms ?? null)}`).join(', ');
  const legend = series.filter(({ name }, at) => series.findIndex((other) => other.name === name) === at);
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${caption}: ${words}`}>
        {ticks.map((value) => (
          <>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={rounded(y(value))} y2={rounded(y(value))} />
            <text x={LEFT - 6} y={rounded(y(value)) + 4} text-anchor="end">
              {value}
            </text>
          </>
        ))}
        {SHARES.filter(([inverse]) => inverse <= (x.domain()[1] ?? 1)).map(([inverse, share]) => (
          <>
            <line class="grid" x1={rounded(x(inverse))} x2={rounded(x(inverse))} y1={TOP} y2={HEIGHT - BOTTOM} />
            <text x={rounded(x(inverse))} y={HEIGHT - BOTTOM + 16} text-anchor="middle">
              {share}
            </text>
          </>
        ))}
        {series.map(({ mark, points }) => (
          <path class={`line ${mark}`} d={path(points) ?? ''} />
        ))}
        {legend.map(({ name, mark }, index) => (
          <text class={mark} x={LEFT + 8 + index * 90} y={TOP - 6}>
            {mark === 'a' ? '—' : '- -'} {name}
          </text>
        ))}
      </svg>
    </figure>
  );
}

/** Service and response time of a cell. */
export function Spectrum({ cell }: { cell: CellReport }) {
  const lines: readonly SpectrumLine[] = [
    { name: 'service', mark: 'a', latency: cell.serviceTime },
    { name: 'response', mark: 'b', latency: cell.responseTime },
  ];
  return <SpectrumChart caption="Percentile spectrum, milliseconds" lines={lines} />;
}
