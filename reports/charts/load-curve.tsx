import { scaleLinear, scaleLog } from 'd3-scale';
import { count, rate } from '../../lib/numbers.ts';
import type { CapacityAnswer, CurveFigure, CurvePoint } from '../../lib/records/load/capacity.ts';
import { rounded } from './points.ts';

const WIDTH = 760;
const HEIGHT = 300;
const LEFT = 62;
const RIGHT = 16;
const [TOP, BOTTOM] = [44, 248];
const SIZE = 4;

type Served = CurvePoint & { readonly at: CurveFigure & { readonly ms: number } };

function servedOf(points: readonly CurvePoint[], name: 'p50' | 'p99'): readonly Served[] {
  return points.flatMap((point) =>
    point[name].ms === null ? [] : [{ ...point, at: { ...point[name], ms: point[name].ms } }],
  );
}

/** A disc for even arrivals, a triangle for Poisson ones; hollow where the rate did not hold. */
function Mark({ x, y, point, cls }: { x: number; y: number; point: CurvePoint; cls: string }) {
  const fill = point.verdict === 'met' ? 'currentColor' : 'none';
  if (point.arrivals === 'even') return <circle class={cls} cx={x} cy={y} r={SIZE} fill={fill} />;
  return <path class={cls} d={`M${x},${y - SIZE}l${SIZE},${2 * SIZE}h${-2 * SIZE}z`} fill={fill} />;
}

/** Response time over the share of the claimed rate: p50 solid and p99 dashed, with intervals, so that it reads without color. */
export function LoadCurve({ answer }: { answer: CapacityAnswer }) {
  const { targetPerSecond, heldPerSecond } = answer;
  const curve = (answer.curve ?? []).filter(({ verdict }) => verdict !== 'invalid');
  const bounds = curve.flatMap(({ p50, p99 }) => [p50, p99].flatMap(({ ms, interval }) => [ms, ...(interval ?? [])]));
  const times = bounds.filter((time): time is number => time !== null && time > 0);
  if (times.length === 0) return <p class="soft">No curve: no cell has a response time.</p>;
  const most = Math.max(targetPerSecond, ...curve.map(({ ratePerSecond }) => ratePerSecond));
  const x = scaleLinear([0, most * 1.05], [LEFT, WIDTH - RIGHT]);
  const y = scaleLog([Math.min(...times, 1) / 1.3, Math.max(...times, 2) * 1.3], [BOTTOM, TOP]);
  const place = (value: number) => rounded(x(value));
  const height = (value: number) => rounded(y(value));
  const line = (arrivals: CurvePoint['arrivals'], name: 'p50' | 'p99') =>
    servedOf(
      curve.filter((point) => point.arrivals === arrivals),
      name,
    )
      .map(({ ratePerSecond, at }, index) => `${index === 0 ? 'M' : 'L'}${place(ratePerSecond)},${height(at.ms)}`)
      .join('');
  const ticks = y.ticks(4).filter((tick) => /^[125]/.test(String(tick).replace(/^0\.0*/, '')));
  const vertical = (value: number, words: string, up: number) => (
    <>
      <line class="limit" x1={place(value)} x2={place(value)} y1={TOP} y2={BOTTOM} />
      <text x={place(value) - 4} y={TOP - up} text-anchor="end">
        {words}
      </text>
    </>
  );
  return (
    <figure>
      <figcaption>
        Response time by offered rate: disc even, triangle Poisson arrivals; filled held, hollow did not. Bars are 95 %
        intervals.
      </figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Response time of ${curve.length} cells from ${rate(curve[0]?.ratePerSecond ?? 0)} to ${rate(most)} per second`}
      >
        <text class="a" x={LEFT} y={14}>
          —— p50
        </text>
        <text class="b" x={LEFT + 80} y={14}>
          - - - p99
        </text>
        <text x={LEFT + 160} y={14}>
          milliseconds over offered rate per second
        </text>
        {ticks.map((tick) => (
          <>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={height(tick)} y2={height(tick)} />
            <text x={LEFT - 6} y={height(tick) + 4} text-anchor="end">
              {tick}
            </text>
          </>
        ))}
        {vertical(targetPerSecond, 'published', 4)}
        {heldPerSecond === null ? '' : vertical(heldPerSecond, 'sustained', 16)}
        {(['even', 'poisson'] as const).map((arrivals) => (
          <>
            <path class="line a" d={line(arrivals, 'p50')} />
            <path class="line b" d={line(arrivals, 'p99')} />
          </>
        ))}
        {(['p50', 'p99'] as const).flatMap((name) =>
          servedOf(curve, name).map((point) => {
            const [low, high] = point.at.interval ?? [null, null];
            const cls = name === 'p50' ? 'a' : 'b plain';
            return (
              <>
                {low === null || high === null ? (
                  ''
                ) : (
                  <line
                    class={cls}
                    x1={place(point.ratePerSecond)}
                    x2={place(point.ratePerSecond)}
                    y1={height(low)}
                    y2={height(high)}
                  />
                )}
                <Mark x={place(point.ratePerSecond)} y={height(point.at.ms)} point={point} cls={cls} />
              </>
            );
          }),
        )}
        {x.ticks(6).map((tick) => (
          <text x={place(tick)} y={BOTTOM + 16} text-anchor="middle">
            {count(tick)}
          </text>
        ))}
        <text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 8} text-anchor="middle">
          offered per second
        </text>
      </svg>
    </figure>
  );
}
