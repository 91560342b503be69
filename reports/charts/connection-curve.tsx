import { scaleLinear } from 'd3-scale';
import { count } from '../../lib/numbers.ts';
import type { ConnectionRate } from '../../lib/records/load/capacity.ts';
import { rounded } from './points.ts';

const WIDTH = 560;
const HEIGHT = 262;
const LEFT = 58;
const RIGHT = 14;
const [TOP, BOTTOM] = [36, 206];
/** Half the width of a bar, and of the line of a bound. */
const [BAR, BOUND] = [9, 26];

/** Held rate and bound of one number of connections; a bound beyond the top is an arrow with its figure. */
function Slot({ row, x, y, most }: { row: ConnectionRate; x: number; y: (value: number) => number; most: number }) {
  const { connections, heldPerSecond, carriedPerSecond, littleBoundPerSecond: bound, atLeast } = row;
  const held = y(heldPerSecond ?? 0);
  const carried = y(Math.min(carriedPerSecond, most));
  const beyond = bound !== null && bound > most;
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
      {bound === null || beyond ? (
        ''
      ) : (
        <line class="line b" x1={x - BOUND} x2={x + BOUND} y1={y(bound)} y2={y(bound)} />
      )}
      {bound === null ? (
        ''
      ) : (
        <text class="b" x={x} y={boundText} text-anchor="middle">
          {beyond ? '↑ ' : ''}
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
  const slot = (WIDTH - LEFT - RIGHT) / sweep.length;
  const y = scaleLinear([0, most], [BOTTOM, TOP]);
  const height = (value: number) => rounded(y(value));
  return (
    <figure>
      <figcaption>
        Connections: the highest rate that held on each number of them, what they carried of too many arrivals, and the
        most that Little's law allows
      </figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Rates that held on ${sweep.map(({ connections }) => connections).join(', ')} connections`}
      >
        <text class="a" x={LEFT + 8} y={12}>
          ■ held, per second
        </text>
        <text x={LEFT + 130} y={12}>
          □ carried
        </text>
        <text class="b" x={LEFT + 202} y={12}>
          - - Little's bound: connections ÷ service time
        </text>
        {y.ticks(4).map((tick) => (
          <>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={height(tick)} y2={height(tick)} />
            <text x={LEFT - 6} y={height(tick) + 4} text-anchor="end">
              {count(tick)}
            </text>
          </>
        ))}
        {sweep.map((row, at) => (
          <Slot row={row} x={rounded(LEFT + slot * (at + 0.5))} y={height} most={most} />
        ))}
        <text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 6} text-anchor="middle">
          connections
        </text>
      </svg>
    </figure>
  );
}
