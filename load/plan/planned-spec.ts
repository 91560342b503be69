import { defined } from '../../lib/defined.ts';
import type { Schedule, Stretch } from '../../lib/wire/arrivals.ts';
import { TAIL_MS } from '../../lib/wire/scenario.ts';
import type { CellSpec } from './cell-spec.ts';
import type { LoadPlan, PlannedCell } from './plan.ts';

export type Sender = Pick<CellSpec, 'baseUrl' | 'credentials' | 'userAgent'> & {
  readonly [Key in 'caFile' | 'insecure' | 'clientCertificate']?: CellSpec[Key] | undefined;
} & { readonly csrf: boolean };

/** Arrivals go on for a moment beyond the duration, in the record and in no figure. */
const tail = (ratePerSecond: number): Stretch => ({ seconds: TAIL_MS / 1000, ratePerSecond });

/** Schedule of a cell whose arrivals are no constant rate; undefined where they are. */
function scheduleOf(cell: PlannedCell): Schedule | undefined {
  const { targetPerSecond: ratePerSecond, stretches } = cell;
  if (stretches !== undefined)
    return { stretches: [...stretches, tail(stretches.at(-1)?.ratePerSecond ?? ratePerSecond)] };
  if (cell.arrivals !== 'poisson') return undefined;
  const parts = [cell.warmupSeconds, cell.durationSeconds].filter((seconds) => seconds > 0);
  return {
    seed: cell.pool.seed,
    stretches: [...parts.map((seconds) => ({ seconds, ratePerSecond })), tail(ratePerSecond)],
  };
}

/** A planned cell as k6 runs it, on this machine or on others. */
export function cellSpecOf(plan: LoadPlan, cell: PlannedCell, sender: Sender): CellSpec {
  const { caFile, clientCertificate, insecure, csrf, ...always } = sender;
  return {
    operation: cell.operation,
    ...always,
    ...defined({ caFile, clientCertificate }),
    ...(insecure === true ? { insecure } : {}),
    ratePerSecond: cell.targetPerSecond,
    durationSeconds: cell.warmupSeconds + cell.durationSeconds,
    ...defined({ schedule: scheduleOf(cell) }),
    ...defined({ ramp: cell.ramp }),
    connections: cell.connections,
    timeoutMs: plan.spec.timeoutMs,
    policyName: plan.policy,
    pool: cell.pool,
    ...(csrf ? { csrf } : {}),
    ...(plan.spec.keepAlive ? {} : { newConnections: true }),
    ...(plan.spec.k6Outputs.length > 0 ? { k6Outputs: plan.spec.k6Outputs } : {}),
    ...(plan.spec.segments > 1 ? { segments: plan.spec.segments } : {}),
  };
}
