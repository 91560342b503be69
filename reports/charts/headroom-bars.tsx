import { scaleLinear } from 'd3-scale';
import { rate } from '../../lib/numbers.ts';
import type { CapacityAnswer } from '../../lib/records/load/capacity.ts';
import { rounded } from './points.ts';

const WIDTH = 1136;
const LEFT = 190;
/** Room for the words behind the longest bar. */
const RIGHT = 210;
const ROW = 30;
const TOP = 22;

function words({ heldPerSecond, atLeast, headroom }: CapacityAnswer): string {
  if (heldPerSecond === null || headroom === null) return 'no rate held';
  const least = atLeast ? '≥ ' : '';
  return `${least}${rate(heldPerSecond)}/s, headroom ${least}${headroom.toFixed(2)}`;
}

/** The searches side by side: the highest rate that held of each, against the rate of the specification. Null where there is one. */
export function HeadroomBars({ answers }: { answers: readonly CapacityAnswer[] }) {
  const targets = [...new Set(answers.map(({ targetPerSecond }) => targetPerSecond))];
  if (answers.length < 2) return null;
  const most = Math.max(1, ...targets, ...answers.map(({ heldPerSecond }) => heldPerSecond ?? 0));
  const x = scaleLinear([0, most], [LEFT, WIDTH - RIGHT]);
  const height = TOP + ROW * answers.length + 6;
  return (
    <figure>
      <figcaption>Highest rate that held, per second; dotted: the specification's</figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={answers.map((answer) => `${answer.profile} ${answer.operation}: ${words(answer)}`).join('; ')}
      >
        {answers.map((answer, at) => {
          const y = TOP + ROW * at;
          const end = rounded(x(answer.heldPerSecond ?? 0));
          return (
            <>
              <text x={LEFT - 8} y={y + 17} text-anchor="end">
                {answer.profile} {answer.operation}
              </text>
              <rect class="fill-a" x={LEFT} width={Math.max(0, end - LEFT)} y={y + 5} height={16} />
              <text class="a" x={end + 8} y={y + 17}>
                {words(answer)}
              </text>
            </>
          );
        })}
        {targets.map((target) => (
          <>
            <line class="limit" x1={rounded(x(target))} x2={rounded(x(target))} y1={TOP - 4} y2={height - 4} />
            <text x={rounded(x(target))} y={TOP - 9} text-anchor="middle">
              {rate(target)}
            </text>
          </>
        ))}
      </svg>
    </figure>
  );
}
