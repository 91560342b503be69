import type { CapacityRate } from '../../records/load/capacity.ts';
import type { CellReport } from '../../records/load/load.ts';
import type { Tally } from './settle.ts';
import { carriedBy } from './trial.ts';

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
