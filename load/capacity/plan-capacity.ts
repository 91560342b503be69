import type { NamedPool } from '../../lib/client/anc/pool.ts';
import { ANC_OPERATIONS, type AncOperation, PROFILES, type ProfileName } from '../../lib/contract/anc.ts';
import { OPS } from '../../lib/contract/operations.ts';
import { UsageError } from '../../lib/errors.ts';
import { count, counted, duration, roughly } from '../../lib/text.ts';
import type { NamedPolicyPool } from '../plan/cell-spec.ts';
import { type Phase, phasesText, settingPhase, settingSeconds } from '../plan/phases.ts';
import { checkAddresses, checkPolicy } from '../plan/plan.ts';
import { type MetricsSource, readMetrics } from '../run/metrics.ts';
import type { SearchOptions } from './search.ts';
import type { WholeCapacitySpec } from './spec.ts';
import {
  endpointsNear,
  highestRate,
  OVERHEAD_SECONDS,
  recoveryCell,
  STEP_SECONDS,
  STOP_AFTER_SECONDS,
  stepSeconds,
} from './step-cell.ts';

const USUAL_STEPS = 10;
/** Search and confirmation together take no longer, unless a time is given. */
const MOST_SEARCH_SECONDS = 600;
/** The rate that is expected before anything is known, as a multiple of the published one. */
const EXPECTED = 1.5;

/** Arrivals per second that a target is expected to hold before anything is known. */
const expectedRate = ({ search }: Pick<CapacityPlan, 'search'>): number =>
  Math.min(EXPECTED * search.start, search.highest);

/** The phases of a search, by the purposes of its steps, and the most that they take. No rate is known before: the times are usual ones, cut to `--for`. */
function timesOf(plan: CapacityPlan) {
  const { spec } = plan;
  const expected = expectedRate(plan);
  const near = stepSeconds(true, expected) + OVERHEAD_SECONDS + spec.connections / expected;
  const confirm = spec.confirmSeconds === 0 ? 0 : spec.confirmSeconds + OVERHEAD_SECONDS;
  const cell = recoveryCell(expected, plan);
  const recovery = cell === null ? 0 : cell.seconds + OVERHEAD_SECONDS;
  const held = Math.min(plan.pool.size, expected * Math.max(spec.confirmSeconds, stepSeconds(true, expected)));
  const clear = settingPhase('clear', Math.round(held));
  const besides = clear.reduce((sum, { seconds }) => sum + seconds, recovery);
  const { forSeconds: run = MOST_SEARCH_SECONDS + besides } = spec;
  const search = run - besides;
  const share = Math.min(1, search / (USUAL_STEPS * near + confirm));
  const steps = (name: string, number: number, seconds: number): Phase => ({
    ...{ name, seconds: share * number * seconds },
    requests: Math.round(share * number * expected * Math.max(seconds - OVERHEAD_SECONDS, 1)),
  });
  const requests = cell === null ? 0 : Math.round(cell.seconds * cell.ratePerSecond);
  const own = [steps('search', USUAL_STEPS, near), steps('confirm', 1, confirm)];
  const phases = [...own, { name: 'recovery', seconds: recovery, requests }, ...clear];
  return { phases: phases.filter(({ seconds }) => seconds > 0), most: { search, recovery, run } };
}

export const capacityPhases = (plan: CapacityPlan): readonly Phase[] => timesOf(plan).phases;

/** Seconds for search and confirmation, for the recovery, and for the whole run: a time that was given has room for all of them. */
export const mostTime = (plan: CapacityPlan) => timesOf(plan).most;

export interface CapacityPlan {
  readonly spec: WholeCapacitySpec;
  readonly profile: ProfileName;
  readonly pool: NamedPool;
  readonly policy: string;
  readonly search: SearchOptions;
  /** Where values of other things are taken from beside the steps. */
  readonly metrics?: MetricsSource;
}

/** Rates below this are no service: the search goes no lower. */
const LOWEST_PER_SECOND = 5;
const TOLERANCE = 0.05;
const MOST_STEPS = 30;
/** In less no search comes to an end. */
const LEAST_SECONDS = 60;

/** Plans a search. Sends nothing. Throws `UsageError` if it cannot be carried out. */
export function planCapacity(
  spec: WholeCapacitySpec,
  profile: ProfileName,
  { pool, policy }: Pick<NamedPolicyPool, 'pool' | 'policy'>,
): CapacityPlan {
  checkPolicy(policy, spec);
  checkAddresses([spec.operation], pool);
  const start = PROFILES[profile].ancPerSecond;
  const highest = Math.min(spec.maxRatePerSecond, highestRate(pool.size, spec.connections));
  if (highest < Math.min(start, spec.maxRatePerSecond)) {
    const message = `${count(pool.size)} endpoints allow steps of at most ${Math.max(highest, 0)}/s`;
    throw new UsageError('pool-too-small', message, {
      hint: `name at least ${Math.ceil(start * 8)}: each arrival of a step takes an endpoint of its own`,
    });
  }
  const lowest = Math.min(LOWEST_PER_SECOND, highest);
  const search: SearchOptions = { start, lowest, highest, tolerance: TOLERANCE, steps: MOST_STEPS };
  const { metrics } = spec;
  const sources = metrics === undefined ? {} : { metrics: readMetrics(metrics) };
  const plan = { spec, profile, pool, policy, search, ...sources };
  const most = mostTime(plan);
  if (most.search < LEAST_SECONDS) {
    const message = `${duration(most.run * 1000)} leave too little for a search: it needs ${duration((most.run - most.search + LEAST_SECONDS) * 1000)}`;
    throw new UsageError('too-short', message, { hint: 'give --for more, or --recovery 0' });
  }
  return plan;
}

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
  return `if the target holds ${expectedRate(plan)}/s, ${steps}; ${clear}; at most ${duration(run * 1000)} in all (--for)`;
}

export function capacityText(plan: CapacityPlan): string {
  const { search, stepSeconds: seconds, confirmSeconds, recoverySeconds, ...described } = describeCapacity(plan);
  return [
    `${described.profile} ${described.operation}: ${described.method}, policy "${described.policy}", pool of ${described.pool}`,
    ...(described.takeOver ? ['endpoints that already hold a policy are taken over, and lose it'] : []),
    `search on ${counted(described.connections, 'connection')}: from ${search.start}/s, doubled up to ${search.highest}/s or halved down to ${search.lowest}/s, ` +
      `until the first rate that does not hold is at most ${search.tolerance * 100} % above one that does`,
    `at most ${search.steps} steps of ${seconds.far} s, or ${seconds.near} to ${seconds.most} s near the answer, and as many repeats of those that prove nothing; ` +
      `a step takes up to ${counted(described.mostEndpoints, 'endpoint')}`,
    confirmSeconds === 0
      ? 'no confirmation: the claim rests on short steps'
      : `the highest rate that held is then confirmed for ${confirmSeconds} s, or as long as pool and time last, and stepped down until it holds; a run that does not hold ends ${STOP_AFTER_SECONDS} s after its first lost arrival`,
    recoverySeconds === 0
      ? 'no overload'
      : `then an overload of 120 % of the claimed rate for ${recoverySeconds} s, and the seconds until p99 is back at 70 %; nothing above ${search.highest}/s`,
    timeText(plan),
  ].join('\n');
}
