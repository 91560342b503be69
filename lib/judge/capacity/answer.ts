import { counted, duration, percent, rate } from '../../numbers.ts';
import type { CapacityAnswer } from '../../records/load/capacity.ts';

const GENERATOR = 'the generator was the limit, so the target is not judged there';
/** Below this share of all cores k6 was not short of processor time by its own work. */
const IDLE_SHARE = 0.5;
const END = 'the search ended at the highest rate it was allowed, or was cut';

/** Why the first rate above did not hold: how much a slow target got done of it, else the first reason. */
function didNot({ failedPerSecond, rates, reasons }: CapacityAnswer): string {
  const offered = `${rate(failedPerSecond ?? 0)}/s`;
  const carried = rates.find(({ ratePerSecond }) => ratePerSecond === failedPerSecond)?.carriedPerSecond ?? null;
  if (carried !== null) return `at ${offered} offered, the target completed ${rate(carried)}/s and a backlog built up`;
  return `${offered} did not${reasons[0] === undefined ? '' : `: ${reasons[0]}`}`;
}

/** Whether it was the generator's own work that kept it from its schedule, as far as its processor time tells. */
function disturbed({ k6CpuShare }: CapacityAnswer): string {
  if (k6CpuShare === null || k6CpuShare >= IDLE_SHARE) return '';
  return `; k6 used at most ${percent(k6CpuShare)} of the processors, so something else on its machine or network kept it from its schedule: search again when that is calm`;
}

const secondsOf = (value: number) => duration(value * 1000);

/** How the claim was confirmed, or that it was not. */
function confirmedWords({ confirmation, searchedPerSecond }: CapacityAnswer): string {
  if (confirmation === undefined) return '; not confirmed by a longer run';
  const { ratePerSecond, seconds, outcome, steppedDown, stalls } = confirmation;
  if (outcome === 'invalid') return '; the confirming run was not valid';
  if (outcome === 'failed') return `; ${rate(ratePerSecond)}/s did not hold for ${secondsOf(seconds)}`;
  const from = steppedDown === 0 ? '' : `, after ${counted(steppedDown, 'higher rate')} that did not hold for so long`;
  const short = searchedPerSecond == null ? '' : `; steps of seconds held ${rate(searchedPerSecond)}/s`;
  const stalled = stalls === 0 ? '' : ` through ${counted(stalls, 'stall')}`;
  return `, confirmed for ${secondsOf(seconds)}${stalled}${from}${short}`;
}

/** What it does for a while, where a reserve was seen. */
function burstWords({ burst, stallLimited }: CapacityAnswer): string {
  const stalled = stallLimited === true ? '; arrivals are dropped during stalls: more connections carry more' : '';
  if (burst === undefined) return stalled;
  const { ratePerSecond, seconds, refillPerSecond, reserve } = burst;
  return `; ${rate(ratePerSecond)}/s held for ${secondsOf(seconds)}, as a token bucket of at least ${reserve} with ${rate(refillPerSecond)}/s would allow${stalled}`;
}

/** The answer in a sentence: the rate that is claimed, how it was confirmed, what is above it, and how much that is of the specification's. */
export function capacitySentence(answer: CapacityAnswer): string {
  const { heldPerSecond, failedPerSecond, limit, headroom, targetPerSecond, reasons, settled } = answer;
  const first = failedPerSecond === null ? '' : `${rate(failedPerSecond)}/s `;
  const because = reasons[0] === undefined ? '' : `: ${reasons[0]}`;
  const open = settled === false ? 'not settled, because no two steps agree on each side of the knee: ' : '';
  if (heldPerSecond === null || headroom === null) {
    if (answer.confirmation !== undefined)
      return `${open}no rate was confirmed${confirmedWords(answer)}${burstWords(answer)}`;
    if (first === '') return `${open}no rate held`;
    return `${open}no rate held; ${limit === 'target' ? didNot(answer) : `${first}could not be measured validly${because}`}`;
  }
  const share = `${headroom.toFixed(2)} × ${rate(targetPerSecond)}/s`;
  const claim = `${open}${answer.atLeast ? 'at least ' : ''}${rate(heldPerSecond)}/s held (headroom ${answer.atLeast ? '≥ ' : ''}${share})`;
  const held = `${claim}${confirmedWords(answer)}${burstWords(answer)}`;
  if (limit === 'target') return `${held}; ${didNot(answer)}`;
  if (limit === 'end') return `${held}; ${END}`;
  return `${held}; ${first}was not measured validly${because}: ${GENERATOR}${disturbed(answer)}`;
}
