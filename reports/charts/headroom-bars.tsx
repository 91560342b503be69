import { rate } from '../../lib/numbers.ts';
import type { CapacityAnswer } from '../../lib/records/load/capacity.ts';
import { Chart, Limit, plotOf } from './frame.tsx';

const [WIDTH, LEFT] = [1136, 190];
/** Room for the words behind the longest bar. */
const RIGHT = 210;
const [ROW, TOP] = [30, 22];

function words({ heldPerSecond, atLeast, headroom }: CapacityAnswer): string {
  if (heldPerSecond === null || headroom === null) return 'no rate held';
  const least = atLeast ? '≥ ' : '';
  return `${least}${rate(heldPerSecond)}/s, headroom ${least}${headroom.toFixed(2)}`;
}

/** The searches side by side: the highest rate that held of each, against the rate of the specification. Null where there is one. */
export function HeadroomBars({ answers }: { answers: readonly CapacityAnswer[] }) {
  if (answers.length < 2) return null;
  const targets = [...new Set(answers.map(({ targetPerSecond }) => targetPerSecond))];
  const most = Math.max(1, ...targets, ...answers.map(({ heldPerSecond }) => heldPerSecond ?? 0));
  const height = TOP + ROW * answers.length + 6;
  const plot = plotOf({ x: [0, most], y: [0, 1], across: [LEFT, WIDTH - RIGHT], up: [height - 4, TOP - 4] });
  return (
    <Chart
      caption="Highest rate that held, per second; dotted: the specification's"
      label={answers.map((answer) => `${answer.profile} ${answer.operation}: ${words(answer)}`).join('; ')}
      height={height}
      width={WIDTH}
    >
      {answers.map((answer, at) => {
        const y = TOP + ROW * at;
        const end = plot.x(answer.heldPerSecond ?? 0);
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
          <Limit plot={plot} x={target} />
          <text x={plot.x(target)} y={TOP - 9} text-anchor="middle">
            {rate(target)}
          </text>
        </>
      ))}
    </Chart>
  );
}
