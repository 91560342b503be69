import type { CapacityAnswer } from '../../lib/records/capacity.ts';
import { rate } from './numbers.ts';

const GENERATOR = 'the generator was the limit: no valid step above it, so the target is not judged there';
const END = 'the search ended at the highest rate it was allowed, or was cut';

/** Why the first rate above did not hold: how much a slow target got done of it, else the first reason. */
function didNot({ failedPerSecond, rates, reasons }: CapacityAnswer): string {
  const offered = `${rate(failedPerSecond ?? 0)}/s`;
  const carried = rates.find(({ ratePerSecond }) => ratePerSecond === failedPerSecond)?.carriedPerSecond ?? null;
  if (carried !== null) return `of ${offered} the target got ${rate(carried)}/s done, and fell behind`;
  return `${offered} did not${reasons[0] === undefined ? '' : `: ${reasons[0]}`}`;
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
  return limit === 'generator' ? `${held}; ${first}was not measured validly: ${GENERATOR}` : `${held}; ${END}`;
}
