import { scaleLinear } from 'd3-scale';
import type { ConnectionRate } from '../../lib/records/capacity.ts';

const WIDTH = 560;
const HEIGHT = 250;
const LEFT = 58;
const RIGHT = 60;
const [TOP, BOTTOM] = [24, 206];

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Highest rate that held, by number of connections, with the bound of Little's law drawn beside it. */
export function ConnectionCurve({ sweep }: { sweep: readonly ConnectionRate[] }) {
  if (sweep.length === 0) return null;
  const heldMost = Math.max(1, ...sweep.map(({ heldPerSecond }) => heldPerSecond ?? 0));
  // A bound far above anything that held would press the rest of the chart flat.
  const most = Math.min(heldMost * 2.5, Math.max(heldMost, ...sweep.map((row) => row.littleBoundPerSecond ?? 0)) * 1.1);
  const slot = (WIDTH - LEFT - RIGHT) / sweep.length;
  const y = scaleLinear([0, most], [BOTTOM, TOP]);
  const top = (value: number) => rounded(y(Math.min(value, most)));
  return (
    <figure>
      <figcaption>Highest rate per second that held, by connections; dashed: the bound of Little's law</figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Rates that held on ${sweep.map(({ connections }) => connections).join(', ')} connections`}
      >
        {y.ticks(4).map((tick) => (
          <>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={top(tick)} y2={top(tick)} />
            <text x={LEFT - 6} y={top(tick) + 4} text-anchor="end">
              {tick}
            </text>
          </>
        ))}
        {sweep.map(({ connections, heldPerSecond, littleBoundPerSecond, atLeast }, at) => {
          const x = LEFT + slot * (at + 0.5);
          const bound = littleBoundPerSecond;
          return (
            <>
              <line class="line a" stroke-width="18" x1={x} x2={x} y1={BOTTOM} y2={top(heldPerSecond ?? 0)} />
              <text class="a" x={x + 14} y={top(heldPerSecond ?? 0) + 4}>
                {atLeast ? '≥ ' : ''}
                {heldPerSecond ?? 'none'}
              </text>
              {bound === null ? '' : <line class="line b" x1={x - 26} x2={x + 26} y1={top(bound)} y2={top(bound)} />}
              <text x={x} y={BOTTOM + 16} text-anchor="middle">
                {connections}
              </text>
            </>
          );
        })}
      </svg>
    </figure>
  );
}
