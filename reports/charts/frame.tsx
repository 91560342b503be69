import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import type { Child } from 'hono/jsx';
import { count } from '../../lib/text.ts';

const [WIDTH, LEFT, RIGHT] = [560, 58, 14];
/** More points than this cannot be told apart on a chart. */
const MOST_POINTS = 240;

/** As many items as can be told apart, evenly chosen, the last one among them. */
export function thinned<T>(items: readonly T[]): readonly T[] {
  if (items.length <= MOST_POINTS) return items;
  const step = (items.length - 1) / (MOST_POINTS - 1);
  return Array.from({ length: MOST_POINTS }, (_, index) => items[Math.round(index * step)] as T);
}

/** A coordinate to a tenth: more would only make the page longer. */
export const rounded = (value: number): number => Math.round(value * 10) / 10;

type Range = readonly [from: number, to: number];
type Scale = ScaleContinuousNumeric<number, number>;

/** A plot of these values between these edges; the axes that `log` names are logarithmic. */
export function plotOf(given: { readonly x: Range; readonly y: Range; readonly up: Range; readonly log?: 'y' | 'xy' }) {
  const { up, log } = given;
  const across: Range = [LEFT, WIDTH - RIGHT];
  const x: Scale = log === 'xy' ? scaleLog(given.x, across) : scaleLinear(given.x, across);
  const y: Scale = log === undefined ? scaleLinear(given.y, up) : scaleLog(given.y, up);
  return {
    /** Left and right edge, then bottom and top. */
    ...{ across, up, log: log !== undefined, scales: { x, y } },
    x: (value: number) => rounded(x(value)),
    y: (value: number) => rounded(y(value)),
  };
}
export type Plot = ReturnType<typeof plotOf>;

interface ChartParts {
  readonly caption?: Child;
  /** What a reader who does not see it is told. */
  readonly label: string;
  readonly height: number;
  readonly children: Child;
}

export function Chart({ caption, label, height, children }: ChartParts) {
  const drawing = (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
      {children}
    </svg>
  );
  if (caption === undefined) return drawing;
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      {drawing}
    </figure>
  );
}

interface Lined {
  readonly plot: Plot;
  readonly class?: string;
}

export function Limit({
  plot: { x, y, across, up },
  class: name = 'limit',
  ...at
}: Lined & { readonly x?: number; readonly y?: number }) {
  const [left, right] = at.x === undefined ? across : [x(at.x), x(at.x)];
  const [bottom, top] = at.y === undefined ? up : [y(at.y), y(at.y)];
  return <line class={name} x1={left} x2={right} y1={top} y2={bottom} />;
}

interface Ticks {
  readonly plot: Plot;
  readonly ticks?: number;
  readonly words?: (value: number) => string;
}

const figure = (tick: number): string => (tick >= 1000 ? count(tick) : String(tick));

/** Figures at the left, with a line through the plot for each; of a logarithmic axis 1, 2, 5 and 10 of each decade. */
export function Grid({ plot, ticks = 4, words = figure }: Ticks) {
  const shown = plot.scales.y.ticks(ticks).filter((tick) => !plot.log || /^[125]/.test(tick.toExponential()));
  return (
    <>
      {shown.map((tick) => (
        <>
          <Limit plot={plot} class="grid" y={tick} />
          <text x={plot.across[0] - 6} y={plot.y(tick) + 4} text-anchor="end">
            {words(tick)}
          </text>
        </>
      ))}
    </>
  );
}

export function Below({ plot, words = count, title }: Ticks & { readonly title?: string }) {
  const { across, up } = plot;
  return (
    <>
      {plot.scales.x.ticks(6).map((tick) => (
        <text x={plot.x(tick)} y={up[0] + 16} text-anchor="middle">
          {words(tick)}
        </text>
      ))}
      {title && (
        <text x={(across[0] + across[1]) / 2} y={up[0] + 44} text-anchor="middle">
          {title}
        </text>
      )}
    </>
  );
}

type Mark = 'a' | 'b';

/** A line through points: `a` is full, `b` dashed. It is broken where there is no value. */
export function Path(props: {
  readonly plot: Plot;
  readonly mark: Mark;
  readonly points: readonly (readonly [number, number | null])[];
}) {
  const { plot, mark, points } = props;
  const path = line<(typeof points)[number]>()
    .defined(([, value]) => value !== null)
    .x(([at]) => plot.x(at))
    .y(([, value]) => plot.y(value ?? 0));
  return <path class={`line ${mark}`} d={path(thinned(points)) ?? ''} />;
}

const SIGNS: Readonly<Record<string, string>> = { a: '— ', b: '- - ' };

interface KeyParts {
  readonly plot: Plot;
  readonly marks: readonly (readonly [mark: string, words: string])[];
}

export const Key = ({ plot: { across, up }, marks }: KeyParts) => (
  <text x={across[0] + 8} y={up[1] - 7}>
    {marks.map(([mark, words], at) => (
      <tspan class={mark} dx={at === 0 ? 0 : 14}>
        {SIGNS[mark] ?? ''}
        {words}
      </tspan>
    ))}
  </text>
);

export const marksOf = (
  lines: readonly { readonly name: string; readonly mark: Mark }[],
): readonly (readonly [Mark, string])[] =>
  [...new Map(lines.map(({ name, mark }) => [name, mark]))].map(([name, mark]) => [mark, name]);
