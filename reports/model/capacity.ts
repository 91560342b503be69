import type { CapacityAnswer } from '../../lib/records/capacity.ts';
import { rate } from './numbers.ts';

const GENERATOR = 'the generator was the limit: no valid step above it, so the target is not judged there';
const END = 'the search ended at the highest rate it was allowed, or was cut';

/** The answer in a sentence: the highest rate that held, what is above it, and how much that is of the specification's. */
export function capacitySentence(answer: CapacityAnswer): string {
  const { heldPerSecond, failedPerSecond, limit, headroom, targetPerSecond, reasons } = answer;
  const first = failedPerSecond === null ? '' : `${rate(failedPerSecond)}/s `;
  const because = reasons[0] === undefined ? '' : `: ${reasons[0]}`;
  if (heldPerSecond === null || headroom === null) {
    const verb = limit === 'target' ? 'did not hold' : 'could not be measured validly';
    return `no rate held${first === '' ? '' : `; ${first}${verb}${because}`}`;
  }
  const share = `${headroom.toFixed(2)} × ${rate(targetPerSecond)}/s`;
  const held = `${answer.atLeast ? 'at least ' : ''}${rate(heldPerSecond)}/s held (headroom ${answer.atLeast ? '≥ ' : ''}${share})`;
  if (limit === 'target') return `${held}; ${first}did not${because}`;
  return limit === 'generator' ? `${held}; ${first}was not measured validly: ${GENERATOR}` : `${held}; ${END}`;
}
