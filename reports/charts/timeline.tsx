import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { Bucket, CellReport } from '../../lib/records/load/load.ts';
import { rounded, thinned } from './points.ts';

export const WIDTH = 560;
const HEIGHT = 250;
export const LEFT = 52;
export const RIGHT = 14;
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

/** Share of the arrivals of each bucket that were not served, as bars from the top of the panel of response times. */
function Unserved({ buckets, x, seconds }: { buckets: readonly Bucket[]; x: Scale; seconds: number }) {
  const [top, bottom] = PANELS.time;
  return (
    <>
      {buckets.map(({ startSeconds, scheduled, succeeded }) => {
        if (succeeded >= scheduled) return '';
        const from = rounded(x(startSeconds));
        const height = (bottom - top) * (1 - succeeded / scheduled);
        return (
          <rect
            class="lost"
            x={from}
            y={top}
            width={rounded(Math.max(1, x(startSeconds + seconds) - from))}
            height={rounded(Math.max(1, height))}
          />
        );
      })}
    </>
  );
}

/** Over the time of the cell, by intended start: rates, and response time beside the share that was not served. */
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
  // Where more than one in a hundred was not served there is no p99, and p50 alone sets the scale.
  const longest = highest(
    (b) => b.responseP99Ms,
    (b) => b.responseP50Ms,
  );
  const times = scaleLinear([0, Math.max(longest * 1.1, 0.1)], [timeBottom, timeTop]);
  const path = (y: Scale, pick: Pick) =>
    line<Bucket>()
      .defined((bucket) => pick(bucket) !== null)
      .x((bucket) => rounded(x(bucket.startSeconds + bucketSeconds / 2)))
      .y((bucket) => rounded(y(pick(bucket) ?? 0)))(buckets) ?? '';
  const lost = buckets.some(({ scheduled, succeeded }) => succeeded < scheduled);
  const none = buckets.every(({ responseP50Ms }) => responseP50Ms === null);
  const low = Math.min(...buckets.map(({ achievedPerSecond }) => achievedPerSecond));
  return (
    <figure>
      <figcaption>
        Over time, by intended start: rate per second, and response time in milliseconds
        {lost ? '; a percentile has no value where too many were not served' : ''}
      </figcaption>
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
          - - sent
        </text>
        <text x={LEFT + 170} y={rateTop - 6}>
          ··· scheduled {targetPerSecond}/s
        </text>
        <Grid y={times} />
        <Unserved buckets={buckets} x={x} seconds={bucketSeconds} />
        <path class="line a" d={path(times, (b) => b.responseP50Ms)} />
        <path class="line b" d={path(times, (b) => b.responseP99Ms)} />
        <text class="a" x={LEFT + 8} y={timeTop - 6}>
          — response p50
        </text>
        <text class="b" x={LEFT + 118} y={timeTop - 6}>
          - - response p99
        </text>
        {lost ? (
          <text class="lost" x={LEFT + 240} y={timeTop - 6}>
            ▮ share not served, top to bottom
          </text>
        ) : (
          ''
        )}
        {none ? (
          <text x={(LEFT + WIDTH - RIGHT) / 2} y={(timeTop + timeBottom) / 2 + 24} text-anchor="middle">
            no percentile: more than half was not served
          </text>
        ) : (
          ''
        )}
        {x.ticks(6).map((value) => (
          <text x={rounded(x(value))} y={timeBottom + 16} text-anchor="middle">
            {value} s
          </text>
        ))}
      </svg>
    </figure>
  );
}
