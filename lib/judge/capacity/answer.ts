import { percent, rate } from '../../numbers.ts';
import type { CapacityAnswer } from '../../records/capacity.ts';

const GENERATOR = 'the generator was the limit, so the target is not judged there';
/** Below this share of all cores k6 was not short of processor time by its own work. */
const IDLE_SHARE = 0.5;
const END = 'the search ended at the highest rate it was allowed, or was cut';

/** Why the first rate above did not hold: how much a slow target got done of it, else the first reason. */
function didNot({ failedPerSecond, rates, reasons }: CapacityAnswer): string {
  const offered = `${rate(failedPerSecond ?? 0)}/s`;
  const carried = rates.find(({ ratePerSecond }) => ratePerSecond === failedPerSecond)?.carriedPerSecond ?? null;
  if (carried !== null) return `of ${offered} the target got ${rate(carried)}/s done, and fell behind`;
  return `${offered} did not${reasons[0] === undefined ? '' : `: ${reasons[0]}`}`;
}

/** Whether it was the generator's own work that kept it from its schedule, as far as its processor time tells. */
function disturbed({ k6CpuShare }: CapacityAnswer): string {
  if (k6CpuShare === null || k6CpuShare >= IDLE_SHARE) return '';
  return `; k6 used at most ${percent(k6CpuShare)} of the processors, so something else on its machine or network kept it from its schedule: search again when that is calm`;
}

/** The answer in a sentence: the highest rate that held, what is above it, and how much that is of the specification's. */
export function capacitySentence(answer: CapacityAnswer): string {
  const { heldPerSecond, failedPerSecond, limit, headroom, targetPerSecond, reasons } = answer;
  const first = failedPerSecond === null ? '' : `${rate(failedPerSecond)}/s `;
  const because = reasons[0] === undefined ? '' : `: ${reasons[0]}`;
  if (heldPerSecond === null || headroom === null) {
    if (first === '') return 'no rate held';
    return `no rate held; ${limit === 'target' ? didNot(answer) : `${first}could not be measured validly${because}`}`;
  }
  const share = `${headroom.toFixed(2)} × ${rate(targetPerSecond)}/s`;
  const held = `${answer.atLeast ? 'at least ' : ''}${rate(heldPerSecond)}/s held (headroom ${answer.atLeast ? '≥ ' : ''}${share})`;
  if (limit === 'target') return `${held}; ${didNot(answer)}`;
  if (limit === 'end') return `${held}; ${END}`;
  return `${held}; ${first}was not measured validly${because}: ${GENERATOR}${disturbed(answer)}`;
}
