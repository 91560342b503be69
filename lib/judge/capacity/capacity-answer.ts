import { defined } from '../../defined.ts';
import type { CapacityAnswer, Confirmation } from '../../records/load/capacity.ts';
import type { CellReport } from '../../records/load/load.ts';
import { atEndOf } from './at-end.ts';
import { confirmationOf } from './confirmation.ts';
import { limiterOf } from './limiter.ts';
import { rateOf } from './rates.ts';
import { recoveryOf } from './recovery.ts';
import { refusalsOf } from './refusals.ts';
import { bracketOf, decidingSteps, isSettled, type Tally, tallies } from './settle.ts';
import { trialOf } from './trial.ts';

function cpuShare(step: CellReport | undefined): number | null {
  const { k6CpuMax = null, cores = 1 } = step?.facts.generator ?? {};
  return k6CpuMax === null ? null : k6CpuMax / cores;
}

interface Found {
  readonly heldPerSecond: number | null;
  /** Two steps agree that the highest rate held, and that the first above it did not. */
  readonly lowSettled: boolean;
  readonly highSettled: boolean;
  readonly limit: CapacityAnswer['limit'];
  readonly confirmation: Confirmation | null;
}

/** Met and violated need two steps that agree on that side of the knee, or a confirmation that decided. */
function verdictOf(
  { heldPerSecond, lowSettled, highSettled, limit, confirmation }: Found,
  target: number,
): CapacityAnswer['verdict'] {
  const confirmed = confirmation !== null && confirmation.outcome !== 'invalid';
  if (confirmation !== null && !confirmed) return 'invalid';
  // The search was cut, or gave up, before it came down to the specification's rate: nothing is known of that one.
  if (confirmation?.outcome === 'failed' && confirmation.ratePerSecond > target) return 'invalid';
  if (heldPerSecond !== null && heldPerSecond >= target) return confirmed || lowSettled ? 'met' : 'invalid';
  return confirmed || (limit === 'target' && highSettled) ? 'violated' : 'invalid';
}

/** The rate that is claimed: the one that was confirmed; where none was asked for, the highest that two steps held. */
function claimOf(low: Tally | null, confirmation: Confirmation | null): number | null {
  if (confirmation === null || confirmation.outcome === 'invalid') return low?.ratePerSecond ?? null;
  return confirmation.outcome === 'held' ? confirmation.ratePerSecond : null;
}

/** The answer of one search, from its judged steps alone; all of one profile and operation. At least one is needed. */
export function capacityAnswer(steps: readonly CellReport[], targetPerSecond: number): CapacityAnswer {
  const deciding = decidingSteps(steps);
  const of = (purpose: string) => deciding.filter(({ facts }) => facts.step?.purpose === purpose);
  const search = of('search');
  const [first] = steps;
  if (first === undefined) throw new RangeError('a capacity needs a step');
  const { connections } = (search[0] ?? first).facts.plan;
  const trials = search.map(trialOf);
  const { low, high } = bracketOf(trials);
  const limit = high === null ? 'end' : high.failed > 0 ? 'target' : 'generator';
  const confirms = of('confirm').map(trialOf);
  const confirmation = confirmationOf(confirms);
  const [lowSettled, highSettled] = [low, high].map((side) => side === null || isSettled(side)) as [boolean, boolean];
  const settled = lowSettled && highSettled;
  const heldPerSecond = claimOf(low, confirmation);
  const failing = [...search, ...of('confirm')].filter(({ verdict }) => verdict !== 'met');
  const above = failing.filter(({ facts }) => facts.plan.targetPerSecond === high?.ratePerSecond);
  const own = deciding.filter(({ facts }) => facts.plan.connections === connections);
  const refusals = refusalsOf(own, heldPerSecond);
  return {
    profile: first.profile,
    operation: first.operation,
    verdict: verdictOf({ heldPerSecond, lowSettled, highSettled, limit, confirmation }, targetPerSecond),
    targetPerSecond,
    connections,
    heldPerSecond,
    failedPerSecond: high?.ratePerSecond ?? null,
    limit,
    atLeast: heldPerSecond !== null && (limit !== 'target' || !highSettled) && (confirmation?.steppedDown ?? 0) === 0,
    headroom: heldPerSecond === null ? null : heldPerSecond / targetPerSecond,
    reasons: above.at(-1)?.reasons ?? [],
    k6CpuShare: limit === 'generator' ? cpuShare(above.at(-1)) : null,
    rates: tallies(trials).map((tally) => rateOf(tally, search)),
    settled,
    searchedPerSecond: low?.ratePerSecond ?? null,
    ...defined({
      atEnd: atEndOf(own) ?? undefined,
      refusals: refusals.length === 0 ? undefined : refusals,
      recovery: recoveryOf(of('recovery')) ?? undefined,
      limiter: limiterOf([...trials, ...confirms], connections) ?? undefined,
      confirmation: confirmation ?? undefined,
    }),
  };
}
