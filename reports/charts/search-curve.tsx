import type { CapacityAnswer } from '../../lib/records/load/capacity.ts';
import { rate } from '../../lib/text.ts';
import { Below, Chart, Grid, Key, Limit, Path, type Plot, plotOf } from './frame.tsx';

const SIZE = 4;

/** The response times of each offered rate, and whether it held; null if nothing was proven. */
const pointsOf = ({ rates }: CapacityAnswer) =>
  rates.map(({ ratePerSecond, held, failed, responseP50Ms: p50, responseP99Ms: p99 }) => ({
    ...{ ratePerSecond, p50, p99, held: held + failed === 0 ? null : held > failed },
  }));
type RatePoint = ReturnType<typeof pointsOf>[number];

/** A disc, hollow where nothing was proven; a cross where the rate did not hold. */
function Mark({ x, y, held, class: name }: { x: number; y: number; held: boolean | null; class: string }) {
  if (held === false) return <path class="cross" d={`M${x - 5},${y - 5}l10,10m0,-10l-10,10`} />;
  return <circle class={name} cx={x} cy={y} r={SIZE} fill={held === true ? 'currentColor' : 'none'} />;
}

function Marks({ points, name, plot }: { points: readonly RatePoint[]; name: 'p50' | 'p99'; plot: Plot }) {
  const style = name === 'p50' ? 'a' : 'b plain';
  return (
    <>
      {points.map(({ ratePerSecond, held, [name]: ms }) =>
        ms === null ? '' : <Mark x={plot.x(ratePerSecond)} y={plot.y(ms)} held={held} class={style} />,
      )}
    </>
  );
}

/** Line at the highest rate that held, with its figure, on the side where there is room. */
function Held({ answer: { heldPerSecond, atLeast }, plot }: { answer: CapacityAnswer; plot: Plot }) {
  if (heldPerSecond === null) return null;
  const x = plot.x(heldPerSecond);
  const isLeft = x < plot.across[1] * 0.7;
  return (
    <>
      <Limit plot={plot} class="held" x={heldPerSecond} />
      <text class="held" x={isLeft ? x + 5 : x - 5} y={plot.up[0] - 6} text-anchor={isLeft ? 'start' : 'end'}>
        {atLeast ? 'at least ' : ''}
        {rate(heldPerSecond)}/s held
      </text>
    </>
  );
}

/** Response time over the offered rates of a search: p50, p99, the highest rate that held and the specification's. Needs no color. */
export function SearchCurve({ answer }: { answer: CapacityAnswer }) {
  const { targetPerSecond, heldPerSecond } = answer;
  const points = pointsOf(answer);
  const times = points
    .flatMap(({ p50, p99 }) => [p50, p99])
    .filter((time): time is number => time !== null && time > 0);
  if (times.length === 0) return <p class="soft">No curve: nothing has a response time.</p>;
  const most = Math.max(targetPerSecond, ...points.map(({ ratePerSecond }) => ratePerSecond));
  const y = [Math.min(...times, 1) / 1.3, Math.max(...times, 2) * 1.3] as const;
  const plot = plotOf({ x: [0, most * 1.05], y, up: [206, 36], log: 'y' });
  const line = (name: 'p50' | 'p99') =>
    points.flatMap((point) => (point[name] === null ? [] : [[point.ratePerSecond, point[name]] as const]));
  return (
    <Chart
      caption="Response time in milliseconds by offered rate: disc held, cross did not hold, hollow not measured validly. A line ends where too many arrivals were not served"
      label={`Response time over ${points.length} offered rates; highest that held ${heldPerSecond === null ? 'none' : rate(heldPerSecond)} per second`}
      height={262}
    >
      <Grid plot={plot} />
      <Limit plot={plot} x={targetPerSecond} />
      <Held answer={answer} plot={plot} />
      <Path plot={plot} mark="a" points={line('p50')} />
      <Path plot={plot} mark="b" points={line('p99')} />
      <Marks points={points} name="p50" plot={plot} />
      <Marks points={points} name="p99" plot={plot} />
      <Key
        plot={plot}
        marks={[
          ['a', 'response p50'],
          ['b', 'response p99'],
          ['', `··· specification ${targetPerSecond}/s`],
        ]}
      />
      <Below plot={plot} title="offered arrivals per second" />
    </Chart>
  );
}
