import type { CapacityRate, ConnectionRate } from '../../records/load/capacity.ts';
import type { CellReport } from '../../records/load/load.ts';
import { bracketOf, type Tally } from './settle.ts';
import { carriedBy, trialOf } from './trial.ts';

/** Figures of one rate from its steps. */
export function rateOf(tally: Tally, steps: readonly CellReport[]): CapacityRate {
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
    fewSamples: [...(shown?.responseTime.fewSamples ?? [])],
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
