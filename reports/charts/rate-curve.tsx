import { scaleLinear, scaleLog } from 'd3-scale';
import { count, rate } from '../../lib/numbers.ts';
import type { CapacityAnswer, CapacityRate } from '../../lib/records/load/capacity.ts';
import { rounded } from './points.ts';

const WIDTH = 560;
const HEIGHT = 262;
const LEFT = 58;
const RIGHT = 14;
const [TOP, BOTTOM] = [36, 206];

const held = ({ held, failed }: CapacityRate): boolean => held > failed;

/** Mark of one rate: a disc where it held, a cross where it did not, a ring where nothing was proven. */
function Point({ x, y, entry }: { x: number; y: number; entry: CapacityRate }) {
  if (held(entry)) return <circle class="a" cx={x} cy={y} r={3.5} fill="currentColor" />;
  if (entry.failed === 0) return <circle class="a" cx={x} cy={y} r={3.5} fill="none" />;
  return <path class="cross" d={`M${x - 5},${y - 5}l10,10m0,-10l-10,10`} />;
}

/** Line at the highest rate that held, with its figure, on the side where there is room. */
function Held({ x, answer }: { x: number; answer: CapacityAnswer }) {
  const right = x < WIDTH * 0.7;
  return (
    <>
      <line class="held" x1={x} x2={x} y1={TOP} y2={BOTTOM} />
      <text class="held" x={right ? x + 5 : x - 5} y={BOTTOM - 6} text-anchor={right ? 'start' : 'end'}>
        {answer.atLeast ? 'at least ' : ''}
        {rate(answer.heldPerSecond ?? 0)}/s held
      </text>
    </>
  );
}

/** Response time over the offered rate, both percentiles, with the highest rate that held and the specification's. */
export function RateCurve({ answer }: { answer: CapacityAnswer }) {
  const rates = answer.rates.filter(({ responseP50Ms }) => responseP50Ms !== null);
  if (rates.length === 0) return <p class="soft">No curve: no step has a response time.</p>;
  const times = rates.flatMap(({ responseP50Ms, responseP99Ms }) =>
    [responseP50Ms, responseP99Ms].filter((time): time is number => time !== null && time > 0),
  );
  const most = Math.max(...rates.map(({ ratePerSecond }) => ratePerSecond), answer.targetPerSecond);
  const x = scaleLinear([0, most * 1.05], [LEFT, WIDTH - RIGHT]);
  const y = scaleLog([Math.min(...times, 1) / 1.3, Math.max(...times, 2) * 1.3], [BOTTOM, TOP]);
  const path = (pick: (entry: CapacityRate) => number | null) =>
    rates
      .filter((entry) => pick(entry) !== null)
      .map((entry, at) => `${at === 0 ? 'M' : 'L'}${rounded(x(entry.ratePerSecond))},${rounded(y(pick(entry) ?? 1))}`)
      .join('');
  const vertical = (value: number, cls: string) => (
    <line class={cls} x1={rounded(x(value))} x2={rounded(x(value))} y1={TOP} y2={BOTTOM} />
  );
  const ticks = y.ticks(4).filter((tick) => /^[125]/.test(String(tick).replace(/^0\.0*/, '')));
  return (
    <figure>
      <figcaption>
        Response time by offered rate: disc held, cross did not, ring not measured validly; a line ends where too many
        arrivals were not served
      </figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Response time over ${rates.length} offered rates; highest that held ${answer.heldPerSecond === null ? 'none' : rate(answer.heldPerSecond)} per second`}
      >
        {ticks.map((tick) => (
          <>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={rounded(y(tick))} y2={rounded(y(tick))} />
            <text x={LEFT - 6} y={rounded(y(tick)) + 4} text-anchor="end">
              {tick}
            </text>
          </>
        ))}
        {vertical(answer.targetPerSecond, 'limit')}
        {answer.heldPerSecond === null ? '' : <Held x={rounded(x(answer.heldPerSecond))} answer={answer} />}
        <path class="line a" d={path(({ responseP50Ms }) => responseP50Ms)} />
        <path class="line b" d={path(({ responseP99Ms }) => responseP99Ms)} />
        {rates.map((entry) => (
          <Point x={rounded(x(entry.ratePerSecond))} y={rounded(y(entry.responseP50Ms ?? 1))} entry={entry} />
        ))}
        <text class="a" x={LEFT + 8} y={12}>
          — response p50
        </text>
        <text class="b" x={LEFT + 118} y={12}>
          - - response p99
        </text>
        <text x={LEFT + 240} y={12}>
          ··· specification {answer.targetPerSecond}/s
        </text>
        {x.ticks(6).map((value) => (
          <text x={rounded(x(value))} y={BOTTOM + 16} text-anchor="middle">
            {count(value)}
          </text>
        ))}
        <text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 6} text-anchor="middle">
          offered arrivals per second
        </text>
        <text x={LEFT - 6} y={TOP - 6} text-anchor="end">
          ms, log
        </text>
      </svg>
    </figure>
  );
}
