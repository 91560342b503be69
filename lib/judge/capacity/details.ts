import { present } from '../../present.ts';
import { statementText } from '../../records/answer.ts';
import type { CapacityAnswer } from '../../records/load/capacity.ts';
import { counted, duration, percent, rate } from '../../text.ts';
import { SPELL_SECONDS } from './capacity-answer.ts';

/** Below this share of all cores k6 was not short of processor time by its own work. */
const IDLE_SHARE = 0.5;

const secondsOf = (value: number) => duration(value * 1000);

function above(answer: CapacityAnswer): string[] {
  const { failedPerSecond, rates, reasons, limit, k6CpuShare, poolAllowsPerSecond } = answer;
  const { searchedPerSecond, confirmation } = answer;
  if (failedPerSecond === null) {
    const isPoolUsed = rates.some(({ ratePerSecond }) => ratePerSecond === poolAllowsPerSecond);
    const why = isPoolUsed ? ': the pool has too few endpoints for one; name more of them to search on' : '';
    return [`no higher rate was offered${why}`];
  }
  const offered = `${rate(failedPerSecond)}/s`;
  const because = reasons[0] === undefined ? '' : `: ${reasons[0]}`;
  if (limit === 'generator') {
    const calm =
      k6CpuShare === null || k6CpuShare >= IDLE_SHARE
        ? ''
        : `; k6 used at most ${percent(k6CpuShare)} of the processors, so something else on its machine or network kept it from its schedule: search again when that is calm`;
    return [`${offered} was not measured validly${because}; the generator was the limit${calm}`];
  }
  const carried = rates.find(({ ratePerSecond }) => ratePerSecond === failedPerSecond)?.carriedPerSecond ?? null;
  const isLong = failedPerSecond <= (searchedPerSecond ?? 0) && confirmation !== undefined;
  const how = isLong ? ` for ${secondsOf(confirmation.seconds)}` : '';
  return carried === null
    ? [`${offered} did not hold${how}${because}`]
    : [`at ${offered} offered, the target completed ${rate(carried)}/s and a backlog built up`];
}

function confirmed({ confirmation, searchedPerSecond }: CapacityAnswer): string[] {
  if (confirmation === undefined || confirmation.outcome === 'invalid') return [];
  const { steppedDown, stalls, seconds, unseenShare, outcome } = confirmation;
  return present(
    outcome === 'held' &&
      `by the long run, at least ${percent(1 - unseenShare)} of spells of ${SPELL_SECONDS} s hold (95 % confidence)`,
    stalls > 0 && `the target stalled ${stalls} times in the long run`,
    steppedDown !== 0 &&
      `before it, ${counted(steppedDown, 'higher rate')} did not hold for as long as ${secondsOf(seconds)}`,
    searchedPerSecond != null && `steps of seconds held ${rate(searchedPerSecond)}/s`,
  );
}

/** What else a search showed beside its answer, each in a sentence that its facts make true. */
export function capacityDetails(answer: CapacityAnswer): readonly string[] {
  const stalls =
    answer.limiter?.kind === 'stalls' ? ['arrivals are dropped during stalls: more connections carry more'] : [];
  return [...confirmed(answer), ...stalls, ...above(answer)];
}

export const capacityText = (answer: CapacityAnswer): string =>
  [...(answer.said === undefined ? [] : [statementText(answer.said)]), ...capacityDetails(answer)].join('; ');
