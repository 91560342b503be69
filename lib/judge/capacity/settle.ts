import type { CapacityAnswer, CapacityRate, ConnectionRate } from '../../records/capacity.ts';
import type { CellReport } from '../../records/load.ts';
import { END_RULE } from '../cell/end-rule.ts';

/** What one step showed of its rate: held, did not hold, or nothing (the generator or the run was at fault). */
export type StepOutcome = 'held' | 'failed' | 'invalid';

export interface Trial {
  readonly ratePerSecond: number;
  readonly outcome: StepOutcome;
  /** Transactions per second that the target got done, where it failed for being slow and for nothing else. */
  readonly carriedPerSecond?: number;
}

/** Outcomes of one rate. `holds` is null where as many steps held as failed. */
export interface Tally {
  readonly ratePerSecond: number;
  readonly held: number;
  readonly failed: number;
  readonly invalid: number;
  readonly holds: boolean | null;
}

/** Outcomes by rate, ascending. A rate of which no step proved anything does not hold. */
export function tallies(trials: readonly Trial[]): readonly Tally[] {
  const rates = [...new Set(trials.map(({ ratePerSecond }) => ratePerSecond))].sort((a, b) => a - b);
  return rates.map((ratePerSecond) => {
    const count = (outcome: StepOutcome) =>
      trials.filter((trial) => trial.ratePerSecond === ratePerSecond && trial.outcome === outcome).length;
    const [held, failed, invalid] = [count('held'), count('failed'), count('invalid')];
    const holds = held + failed === 0 ? false : held === failed ? null : held > failed;
    return { ratePerSecond, held, failed, invalid, holds };
  });
}

/**
 * The first rate that does not hold, and the highest below it that does. One that held above a failure does not count: between
 * them the target is a matter of luck.
 */
export function bracketOf(trials: readonly Trial[]): { readonly low: Tally | null; readonly high: Tally | null } {
  const all = tallies(trials);
  const high = all.find(({ holds }) => holds === false) ?? null;
  const low = all
    .filter(({ ratePerSecond, holds }) => holds && ratePerSecond < (high?.ratePerSecond ?? Infinity))
    .at(-1);
  return { low: low ?? null, high };
}

const OUTCOMES = { met: 'held', violated: 'failed', invalid: 'invalid' } as const;

/**
 * What a target that was too slow got done each second. Successes by their intended start count those too that were answered after the
 * end; the number in flight divided by the service time (Little's law) does not.
 */
function carriedBy({ verdict, rules, inFlightMean, serviceTime, achievedPerSecond }: CellReport): number | null {
  const broken = (id: string) => rules.some((rule) => rule.id === id && rule.holds === false);
  const slow =
    verdict === 'violated' &&
    !broken('no-failures') &&
    (broken('no-drops') || broken('in-flight-stable') || broken(END_RULE));
  if (!slow || serviceTime.meanServedMs === null || serviceTime.meanServedMs === 0) return null;
  return Math.min(achievedPerSecond, (inFlightMean * 1000) / serviceTime.meanServedMs);
}

/** What a judged step showed. */
export function trialOf(step: CellReport): Trial {
  const carried = carriedBy(step);
  return {
    ratePerSecond: step.facts.plan.targetPerSecond,
    outcome: OUTCOMES[step.verdict],
    ...(carried === null ? {} : { carriedPerSecond: carried }),
  };
}

/** Of several tries of one step the last decides. */
export function decidingSteps(steps: readonly CellReport[]): readonly CellReport[] {
  return steps.filter(
    ({ facts }) =>
      !steps.some((other) => other.facts.step?.number === facts.step?.number && other.facts.attempt > facts.attempt),
  );
}

function rateOf(tally: Tally, steps: readonly CellReport[]): CapacityRate {
  const own = steps.filter(({ facts }) => facts.plan.targetPerSecond === tally.ratePerSecond);
  const shown = own.filter(({ verdict }) => verdict !== 'invalid').at(-1) ?? own.at(-1);
  const { ratePerSecond, held, failed, invalid } = tally;
  return {
    ...{ ratePerSecond, held, failed, invalid },
    achievedPerSecond: shown?.achievedPerSecond ?? 0,
    carriedPerSecond: shown === undefined ? null : carriedBy(shown),
    serviceP50Ms: shown?.serviceTime.p50Ms ?? null,
    responseP50Ms: shown?.responseTime.p50Ms ?? null,
    responseP99Ms: shown?.responseTime.p99Ms ?? null,
  };
}

/** What the steps on one number of connections show, with the bound of Little's law. */
export function connectionRate(connections: number, steps: readonly CellReport[]): ConnectionRate {
  const { low, high } = bracketOf(steps.map(trialOf));
  const held = steps.filter(
    ({ verdict, facts }) => verdict === 'met' && facts.plan.targetPerSecond === low?.ratePerSecond,
  );
  const served = steps.flatMap(({ serviceTime }) =>
    serviceTime.meanServedMs === null ? [] : [serviceTime.meanServedMs],
  );
  // The service time of a rate that held is that of the target; above it requests wait for each other, in some steps more than in others.
  const meanServiceMs = held.at(-1)?.serviceTime.meanServedMs ?? (served.length === 0 ? null : Math.min(...served));
  return {
    connections,
    heldPerSecond: low?.ratePerSecond ?? null,
    atLeast: low !== null && (high === null || high.failed === 0),
    carriedPerSecond: Math.max(0, ...steps.map(({ achievedPerSecond }) => achievedPerSecond)),
    meanServiceMs,
    littleBoundPerSecond: meanServiceMs === null || meanServiceMs === 0 ? null : (connections * 1000) / meanServiceMs,
  };
}

function cpuShare(step: CellReport | undefined): number | null {
  const { k6CpuMax = null, cores = 1 } = step?.facts.generator ?? {};
  return k6CpuMax === null ? null : k6CpuMax / cores;
}

function verdictOf(low: number | null, limit: CapacityAnswer['limit'], target: number): CapacityAnswer['verdict'] {
  if (low !== null && low >= target) return 'met';
  return limit === 'target' ? 'violated' : 'invalid';
}

/** The answer of one search, from its judged steps alone; all of one profile and operation. At least one is needed. */
export function capacityAnswer(steps: readonly CellReport[], targetPerSecond: number): CapacityAnswer {
  const deciding = decidingSteps(steps);
  const search = deciding.filter(({ facts }) => facts.step?.purpose === 'search');
  const [first] = steps;
  if (first === undefined) throw new RangeError('a capacity needs a step');
  const connections = search[0]?.facts.plan.connections ?? first.facts.plan.connections;
  const trials = search.map(trialOf);
  const { low, high } = bracketOf(trials);
  const limit = high === null ? 'end' : high.failed > 0 ? 'target' : 'generator';
  const above = search.filter(
    ({ facts, verdict }) => facts.plan.targetPerSecond === high?.ratePerSecond && verdict !== 'met',
  );
  const heldPerSecond = low?.ratePerSecond ?? null;
  const others = new Set(deciding.map(({ facts }) => facts.plan.connections));
  const swept = deciding.some(({ facts }) => facts.step?.purpose === 'sweep');
  return {
    profile: first.profile,
    operation: first.operation,
    verdict: verdictOf(heldPerSecond, limit, targetPerSecond),
    targetPerSecond,
    connections,
    heldPerSecond,
    failedPerSecond: high?.ratePerSecond ?? null,
    limit,
    atLeast: heldPerSecond !== null && limit !== 'target',
    headroom: heldPerSecond === null ? null : heldPerSecond / targetPerSecond,
    reasons: above.at(-1)?.reasons ?? [],
    k6CpuShare: limit === 'generator' ? cpuShare(above.at(-1)) : null,
    rates: tallies(trials).map((tally) => rateOf(tally, search)),
    sweep: swept
      ? [...others]
          .sort((a, b) => a - b)
          .map((count) =>
            connectionRate(
              count,
              deciding.filter(({ facts }) => facts.plan.connections === count),
            ),
          )
      : [],
  };
}
