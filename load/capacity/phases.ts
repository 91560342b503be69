import { type Phase, settingPhase } from '../plan/phases.ts';
import type { CapacityPlan } from './plan-capacity.ts';
import { recoveryCell } from './recovery.ts';
import { OVERHEAD_SECONDS, stepSeconds } from './step-cell.ts';

const USUAL_STEPS = 10;
/** Search and confirmation together take no longer, unless a time is given. */
const MOST_SECONDS = 600;
/** The rate that is expected before anything is known, as a multiple of the published one. */
const EXPECTED = 1.5;

/** The phases of a search, by the purposes of its steps. Rates are not known before: the times are those of a usual search. */
export function capacityPhases(plan: CapacityPlan): readonly Phase[] {
  const { spec, search } = plan;
  const expected = Math.min(EXPECTED * search.start, search.highest);
  const near = stepSeconds(true, expected) + OVERHEAD_SECONDS + spec.connections / expected;
  const steps = (name: string, number: number, seconds = near): Phase => ({
    ...{ name, seconds: number * seconds },
    requests: Math.round(number * expected * Math.max(seconds - OVERHEAD_SECONDS, 1)),
  });
  const recovery = recoveryCell(expected, plan);
  const phases = [
    steps('search', USUAL_STEPS),
    steps('confirm', spec.confirmSeconds === 0 ? 0 : 1, spec.confirmSeconds + OVERHEAD_SECONDS),
    {
      name: 'recovery',
      seconds: recovery === null ? 0 : recovery.seconds + OVERHEAD_SECONDS,
      requests: recovery === null ? 0 : Math.round(recovery.seconds * recovery.ratePerSecond),
    },
  ].filter(({ seconds }) => seconds > 0);
  const held = Math.min(plan.pool.size, expected * Math.max(spec.confirmSeconds, stepSeconds(true, expected)));
  return [...phases, ...settingPhase('clear', Math.round(held))];
}

/** Seconds that search and confirmation may take, the recovery after them, and the whole run: a time that was given has room for all phases. */
export function mostTime(plan: CapacityPlan): Readonly<Record<'search' | 'recovery' | 'run', number>> {
  const of = (wanted: string) => capacityPhases(plan).find(({ name }) => name === wanted)?.seconds ?? 0;
  const recovery = of('recovery');
  const besides = recovery + of('clear');
  const { forSeconds = MOST_SECONDS + besides } = plan.spec;
  return { search: forSeconds - besides, recovery, run: forSeconds };
}
