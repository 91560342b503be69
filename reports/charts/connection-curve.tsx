import { count } from '../../lib/numbers.ts';
import type { ConnectionRate } from '../../lib/records/load/capacity.ts';
import { Chart, Grid, Key, type Plot, plotOf, rounded } from './frame.tsx';

const [BOTTOM, TOP] = [206, 36];
/** Half the width of a bar, and of the line of a bound. */
const [BAR, BOUND] = [9, 26];

/** Held rate and bound of one number of connections; a bound beyond the top is an arrow with its figure. */
function Slot({ row, x, plot: { y }, most }: { row: ConnectionRate; x: number; plot: Plot; most: number }) {
  const { connections, heldPerSecond, carriedPerSecond, littleBoundPerSecond: bound, atLeast } = row;
  const held = y(heldPerSecond ?? 0);
  const carried = y(Math.min(carriedPerSecond, most));
  const isBeyond = bound !== null && bound > most;
  // The two figures of a rate close to its bound would lie on each other.
  const boundText = bound === null ? 0 : Math.min(y(Math.min(bound, most)) - 5, held - 18);
  return (
    <>
      <rect class="hollow" x={x - BAR} width={2 * BAR} y={carried} height={BOTTOM - carried} />
      <rect class="fill-a" x={x - BAR} width={2 * BAR} y={held} height={BOTTOM - held} />
      <text class="a" x={x + BAR + 4} y={heldPerSecond === null ? held - 4 : held + 12}>
        {atLeast ? '≥ ' : ''}
        {heldPerSecond === null ? 'none' : count(heldPerSecond)}
      </text>
      {bound !== null && !isBeyond && <line class="line b" x1={x - BOUND} x2={x + BOUND} y1={y(bound)} y2={y(bound)} />}
      {bound !== null && (
        <text class="b" x={x} y={boundText} text-anchor="middle">
          {isBeyond ? '↑ ' : ''}
          {count(bound)}
        </text>
      )}
      <text x={x} y={BOTTOM + 16} text-anchor="middle">
        {connections}
      </text>
    </>
  );
}

/** Highest rate that held, by number of connections, with the bound of Little's law drawn beside it. */
export function ConnectionCurve({ sweep }: { sweep: readonly ConnectionRate[] }) {
  if (sweep.length === 0) return null;
  const seen = sweep.flatMap(({ heldPerSecond, carriedPerSecond }) => [heldPerSecond ?? 0, carriedPerSecond]);
  const heldMost = Math.max(1, ...seen);
  // A bound far above anything that held would press the rest of the chart flat.
  const most = Math.min(heldMost * 2.5, Math.max(heldMost, ...sweep.map((row) => row.littleBoundPerSecond ?? 0)) * 1.1);
  const plot = plotOf({ x: [0, sweep.length], y: [0, most], up: [BOTTOM, TOP] });
  return (
    <Chart
      caption="Connections: the highest rate that held on each number of them, what they carried of too many arrivals, and the most that Little's law allows"
      label={`Rates that held on ${sweep.map(({ connections }) => connections).join(', ')} connections`}
      height={262}
    >
      <Key
        plot={plot}
        at={12}
        marks={[
          ['a bar', '■ held, per second'],
          ['', '□ carried'],
          ['b', "Little's bound: connections ÷ service time"],
        ]}
      />
      <Grid plot={plot} words={count} />
      {sweep.map((row, at) => (
        <Slot row={row} x={rounded(plot.x(at + 0.5))} plot={plot} most={most} />
      ))}
      <text x={(plot.across[0] + plot.across[1]) / 2} y={256} text-anchor="middle">
        connections
      </text>
    </Chart>
  );
}
