import { count } from '../../lib/numbers.ts';
import { Below, Chart, Grid, Key, marksOf, Path, plotOf } from './frame.tsx';

/** One figure of a cell over its time; null where it has no value. Courses of one name share their legend. */
export interface CourseLine {
  readonly name: string;
  /** `a` is a full line, `b` a dashed one. */
  readonly mark: 'a' | 'b';
  readonly points: readonly (readonly [seconds: number, value: number | null])[];
}

/** One figure of several cells over the time of each, laid over each other. */
export function Course({ caption, lines }: { caption: string; lines: readonly CourseLine[] }) {
  const all = lines.flatMap(({ points }) => points);
  const values = all.flatMap(([, value]) => value ?? []);
  if (values.length === 0) return <p class="soft">{caption}: no value, too many arrivals were not served.</p>;
  const end = Math.max(...all.map(([seconds]) => seconds), 1);
  const plot = plotOf({ x: [0, end], y: [0, Math.max(...values, 0.1) * 1.1], up: [156, 20] });
  const marks = marksOf(lines);
  const label = `${caption}, over ${Math.round(end)} seconds: ${marks.map(([, name]) => name).join(' and ')}`;
  return (
    <Chart caption={caption} label={label} height={190}>
      <Grid plot={plot} words={(tick) => (tick >= 1000 ? count(tick) : String(tick))} />
      {lines.map(({ mark, points }) => (
        <Path plot={plot} mark={mark} points={points} />
      ))}
      <Key plot={plot} marks={marks} />
      <Below plot={plot} words={(tick) => `${tick} s`} />
    </Chart>
  );
}
