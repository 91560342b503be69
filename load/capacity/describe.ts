import { ANC_OPERATIONS, type AncOperation } from '../../lib/contract/anc.ts';
import { OPS } from '../../lib/contract/operations.ts';
import { counted, duration, roughly } from '../../lib/text.ts';
import { phasesText, settingSeconds } from '../plan/phases.ts';
import { type CapacityPlan, capacityPhases, expectedRate, mostTime } from './plan-capacity.ts';
import { endpointsNear, STEP_SECONDS, STOP_AFTER_SECONDS } from './step-cell.ts';

/** A search as data, for `--dry-run --json`; nothing is sent to find out. Which rates come after the first depends on the answers. */
export function describeCapacity(plan: CapacityPlan) {
  const { profile, pool, policy, search, spec } = plan;
  const { operation, connections, takeOver } = spec;
  const { op }: AncOperation = ANC_OPERATIONS[operation];
  return {
    ...{ profile, operation, policy, connections, search },
    method: `${OPS[op].method} ${OPS[op].path}`,
    pool: pool.describe(),
    takeOver,
    stepSeconds: STEP_SECONDS,
    confirmSeconds: spec.confirmSeconds,
    recoverySeconds: spec.recoverySeconds,
    /** Endpoints that a step at the highest rate takes, one for each arrival. */
    mostEndpoints: Math.min(pool.size, endpointsNear(connections, search.highest)),
  };
}

/** How long a search takes: what it sends follows from what the target holds, and each endpoint that it used is cleared at the end. */
export function timeText(plan: CapacityPlan): string {
  const phases = capacityPhases(plan);
  const steps = phasesText(phases.filter(({ name }) => name !== 'clear'));
  const clear = `then up to ${counted(plan.pool.size, 'endpoint')} cleared, ${roughly(settingSeconds(plan.pool.size))}`;
  const { run } = mostTime(plan);
  const isShort = phases.reduce((sum, { seconds }) => sum + seconds, 0) > run;
  const most = `at most ${duration(run * 1000)} (--for)`;
  return `if the target holds ${expectedRate(plan)}/s, ${steps}; ${clear}; ${most}${isShort ? ', so that search and confirmation are shorter' : ''}`;
}

export function capacityText(plan: CapacityPlan): string {
  const { search, stepSeconds: seconds, confirmSeconds, recoverySeconds, ...described } = describeCapacity(plan);
  return [
    `${described.profile} ${described.operation}: ${described.method}, policy "${described.policy}", pool of ${described.pool}`,
    ...(described.takeOver ? ['endpoints that already hold a policy are taken over, and lose it'] : []),
    `search on ${counted(described.connections, 'connection')}: from ${search.start}/s, doubled up to ${search.highest}/s or halved down to ${search.lowest}/s, ` +
      `until the first rate that does not hold is at most ${search.tolerance * 100} % above one that does`,
    `at most ${search.steps} steps of ${seconds.far} s, or ${seconds.near} to ${seconds.most} s near the answer, and as many repeats of those that prove nothing; ` +
      `a step takes up to ${described.mostEndpoints} endpoints`,
    confirmSeconds === 0
      ? 'no confirmation: the claim rests on short steps'
      : `the highest rate that held is then confirmed for ${confirmSeconds} s, or as long as pool and time last, and stepped down until it holds; a run that does not hold ends ${STOP_AFTER_SECONDS} s after its first lost arrival`,
    recoverySeconds === 0
      ? 'no overload'
      : `then an overload of 120 % of the claimed rate for ${recoverySeconds} s, and the seconds until p99 is back at 70 %; nothing above ${search.highest}/s`,
    'every endpoint is cleared at the end; preparation and read-back come on top',
    timeText(plan),
  ].join('\n');
}
