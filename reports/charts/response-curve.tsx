import { rate } from '../../lib/numbers.ts';
import type { CapacityAnswer, CurvePoint } from '../../lib/records/load/capacity.ts';
import { Below, Chart, Grid, Key, Limit, Path, type Plot, plotOf } from './frame.tsx';

const SIZE = 4;

/** One time with its interval; null where it has none. */
interface Time {
  readonly ms: number | null;
  readonly interval: readonly [number | null, number | null] | null;
}

/** Response times at one offered rate. */
interface RatePoint extends Pick<CurvePoint, 'ratePerSecond' | 'arrivals'> {
  /** Whether the rate held; null where nothing was proven. */
  readonly held: boolean | null;
  readonly p50: Time;
  readonly p99: Time;
}

/** A disc for even arrivals, a triangle for Poisson ones, hollow where nothing was proven; a cross where the rate did not hold. */
function Mark({
  x,
  y,
  point: { held, arrivals },
  class: name,
}: {
  x: number;
  y: number;
  point: RatePoint;
  class: string;
}) {
  if (held === false) return <path class="cross" d={`M${x - 5},${y - 5}l10,10m0,-10l-10,10`} />;
  const fill = held === true ? 'currentColor' : 'none';
  if (arrivals === 'even') return <circle class={name} cx={x} cy={y} r={SIZE} fill={fill} />;
  return <path class={name} d={`M${x},${y - SIZE}l${SIZE},${2 * SIZE}h${-2 * SIZE}z`} fill={fill} />;
}

/** One time of all points: its marks, and the intervals as bars. */
function Marks({ points, name, plot }: { points: readonly RatePoint[]; name: 'p50' | 'p99'; plot: Plot }) {
  const style = name === 'p50' ? 'a' : 'b plain';
  return (
    <>
      {points.map((point) => {
        const { ms, interval } = point[name];
        if (ms === null) return '';
        const [low, high] = interval ?? [null, null];
        const x = plot.x(point.ratePerSecond);
        return (
          <>
            {low !== null && high !== null && <line class={style} x1={x} x2={x} y1={plot.y(low)} y2={plot.y(high)} />}
            <Mark x={x} y={plot.y(ms)} point={point} class={style} />
          </>
        );
      })}
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

/** Response time over the offered rate: p50 and p99, with the highest rate that held and the specification's. It reads without color. */
function ResponseCurve({ answer, points }: { answer: CapacityAnswer; points: readonly RatePoint[] }) {
  const { targetPerSecond, heldPerSecond } = answer;
  const bounds = points.flatMap(({ p50, p99 }) => [p50, p99].flatMap(({ ms, interval }) => [ms, ...(interval ?? [])]));
  const times = bounds.filter((time): time is number => time !== null && time > 0);
  if (times.length === 0) return <p class="soft">No curve: nothing has a response time.</p>;
  const most = Math.max(targetPerSecond, ...points.map(({ ratePerSecond }) => ratePerSecond));
  const y = [Math.min(...times, 1) / 1.3, Math.max(...times, 2) * 1.3] as const;
  const plot = plotOf({ x: [0, most * 1.05], y, up: [206, 36], log: 'y' });
  const line = (arrivals: RatePoint['arrivals'], name: 'p50' | 'p99') =>
    points
      .filter((point) => point.arrivals === arrivals && point[name].ms !== null)
      .map((point) => [point.ratePerSecond, point[name].ms] as const);
  return (
    <Chart
      caption="Response time by offered rate: disc even, triangle Poisson arrivals; cross did not hold, hollow not measured validly. Bars are 95 % intervals. A line ends where too many arrivals were not served"
      label={`Response time over ${points.length} offered rates; highest that held ${heldPerSecond === null ? 'none' : rate(heldPerSecond)} per second`}
      height={262}
    >
      <Grid plot={plot} />
      <Limit plot={plot} x={targetPerSecond} />
      <Held answer={answer} plot={plot} />
      {(['even', 'poisson'] as const).map((arrivals) => (
        <>
          <Path plot={plot} mark="a" points={line(arrivals, 'p50')} />
          <Path plot={plot} mark="b" points={line(arrivals, 'p99')} />
        </>
      ))}
      <Marks points={points} name="p50" plot={plot} />
      <Marks points={points} name="p99" plot={plot} />
      <Key
        plot={plot}
        marks={[
          ['a', 'response p50'],
          ['b', 'response p99, milliseconds, log scale'],
          ['', `··· specification ${targetPerSecond}/s`],
        ]}
      />
      <Below plot={plot} title="offered arrivals per second" />
    </Chart>
  );
}

const plain = (ms: number | null): Time => ({ ms, interval: null });

/** The curve of the steps of a search, by their rates. */
export function SearchCurve({ answer }: { answer: CapacityAnswer }) {
  const points = answer.rates.map(({ ratePerSecond, held, failed, responseP50Ms, responseP99Ms }): RatePoint => {
    const decided = held === failed && failed === 0 ? null : held > failed;
    return { ratePerSecond, arrivals: 'even', held: decided, p50: plain(responseP50Ms), p99: plain(responseP99Ms) };
  });
  return <ResponseCurve answer={answer} points={points} />;
}

/** The curve that was measured at shares of the claim, with intervals. */
export function LoadCurve({ answer }: { answer: CapacityAnswer }) {
  const valid = (answer.curve ?? []).filter(({ verdict }) => verdict !== 'invalid');
  return <ResponseCurve answer={answer} points={valid.map((point) => ({ ...point, held: point.verdict === 'met' }))} />;
}
