import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { Bucket, CellReport } from '../../lib/records/load/load.ts';
import { rounded, thinned } from './points.ts';

const WIDTH = 560;
const HEIGHT = 250;
const LEFT = 52;
const RIGHT = 14;
/** Upper panel: rates; lower panel: response times. */
const PANELS = { rate: [20, 108], time: [134, 216] } as const;
/** More points than this cannot be told apart on the chart. */
const MOST_POINTS = 240;

type Pick = (bucket: Bucket) => number | null;
type Scale = ReturnType<typeof scaleLinear<number>>;

function Grid({ y }: { y: Scale }) {
  return (
    <>
      {y.ticks(3).map((value) => (
        <>
          <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={rounded(y(value))} y2={rounded(y(value))} />
          <text x={LEFT - 6} y={rounded(y(value)) + 4} text-anchor="end">
            {value}
          </text>
        </>
      ))}
    </>
  );
}

/** Over the time of the cell, by intended start: offered and achieved rate, and response time. */
export function Timeline({ cell }: { cell: CellReport }) {
  const buckets = thinned(cell.buckets, MOST_POINTS);
  if (buckets.length === 0) return <p class="soft">No course over time: no bucket was recorded.</p>;
  const { targetPerSecond, bucketSeconds } = cell.facts.plan;
  const highest = (...picks: readonly Pick[]) =>
    Math.max(...buckets.flatMap((bucket) => picks.map((pick) => pick(bucket) ?? 0)));
  const end = Math.max(...buckets.map(({ startSeconds }) => startSeconds)) + bucketSeconds;
  const x = scaleLinear([0, end], [LEFT, WIDTH - RIGHT]);
  const [rateTop, rateBottom] = PANELS.rate;
  const [timeTop, timeBottom] = PANELS.time;
  const most =
    Math.max(
      targetPerSecond,
      highest(
        (b) => b.offeredPerSecond,
        (b) => b.achievedPerSecond,
      ),
    ) * 1.1;
  const rates = scaleLinear([0, most], [rateBottom, rateTop]);
  const times = scaleLinear([0, Math.max(highest((b) => b.responseP99Ms) * 1.1, 0.1)], [timeBottom, timeTop]);
  const path = (y: Scale, pick: Pick) =>
    line<Bucket>()
      .defined((bucket) => pick(bucket) !== null)
      .x((bucket) => rounded(x(bucket.startSeconds + bucketSeconds / 2)))
      .y((bucket) => rounded(y(pick(bucket) ?? 0)))(buckets) ?? '';
  const low = Math.min(...buckets.map(({ achievedPerSecond }) => achievedPerSecond));
  return (
    <figure>
      <figcaption>Over time, by intended start: rate per second, and response time in milliseconds</figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Rates and response times over ${end} seconds; lowest achieved rate ${low.toFixed(1)} per second`}
      >
        <Grid y={rates} />
        <line
          class="limit"
          x1={LEFT}
          x2={WIDTH - RIGHT}
          y1={rounded(rates(targetPerSecond))}
          y2={rounded(rates(targetPerSecond))}
        />
        <path class="line b" d={path(rates, (b) => b.offeredPerSecond)} />
        <path class="line a" d={path(rates, (b) => b.achievedPerSecond)} />
        <text class="a" x={LEFT + 8} y={rateTop - 6}>
          — achieved
        </text>
        <text class="b" x={LEFT + 98} y={rateTop - 6}>
          - - offered
        </text>
        <text x={LEFT + 190} y={rateTop - 6}>
          ··· target {targetPerSecond}/s
        </text>
        <Grid y={times} />
        <path class="line a" d={path(times, (b) => b.responseP50Ms)} />
        <path class="line b" d={path(times, (b) => b.responseP99Ms)} />
        <text class="a" x={LEFT + 8} y={timeTop - 6}>
          — response p50
        </text>
        <text class="b" x={LEFT + 118} y={timeTop - 6}>
          - - response p99
        </text>
        {x.ticks(6).map((value) => (
          <text x={rounded(x(value))} y={timeBottom + 16} text-anchor="middle">
            {value} s
          </text>
        ))}
      </svg>
    </figure>
  );
}
