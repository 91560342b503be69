import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { count } from '../../lib/numbers.ts';
import { rounded, thinned } from './points.ts';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [560, 190, 52, 14, 20, 156];
/** More points than this cannot be told apart on the chart. */
const MOST_POINTS = 240;

/** One figure of a cell over its time; null where it has no value. Courses of one name share their legend. */
export interface CourseLine {
  readonly name: string;
  /** `a` is a full line, `b` a dashed one. */
  readonly mark: 'a' | 'b';
  readonly points: readonly { readonly seconds: number; readonly value: number | null }[];
}

/** One figure of several cells over the time of each, laid over each other. */
export function Course({ caption, lines }: { caption: string; lines: readonly CourseLine[] }) {
  const all = lines.flatMap(({ points }) => points);
  const values = all.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length === 0) return <p class="soft">{caption}: no value, too many arrivals were not served.</p>;
  const end = Math.max(...all.map(({ seconds }) => seconds), 1);
  const x = scaleLinear([0, end], [LEFT, WIDTH - RIGHT]);
  const y = scaleLinear([0, Math.max(...values, 0.1) * 1.1], [BOTTOM, TOP]);
  const path = line<CourseLine['points'][number]>()
    .defined(({ value }) => value !== null)
    .x(({ seconds }) => rounded(x(seconds)))
    .y(({ value }) => rounded(y(value ?? 0)));
  const legend = lines.filter(({ name }, at) => lines.findIndex((other) => other.name === name) === at);
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${caption}, over ${Math.round(end)} seconds: ${legend.map(({ name }) => name).join(' and ')}`}
      >
        {y.ticks(4).map((tick) => (
          <>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={rounded(y(tick))} y2={rounded(y(tick))} />
            <text x={LEFT - 6} y={rounded(y(tick)) + 4} text-anchor="end">
              {tick >= 1000 ? count(tick) : tick}
            </text>
          </>
        ))}
        {lines.map(({ mark, points }) => (
          <path class={`line ${mark}`} d={path(thinned(points, MOST_POINTS)) ?? ''} />
        ))}
        {legend.map(({ name, mark }, index) => (
          <text class={mark} x={LEFT + 8 + index * 90} y={TOP - 6}>
            {mark === 'a' ? '—' : '- -'} {name}
          </text>
        ))}
        {x.ticks(6).map((tick) => (
          <text x={rounded(x(tick))} y={BOTTOM + 16} text-anchor="middle">
            {tick} s
          </text>
        ))}
      </svg>
    </figure>
  );
}
