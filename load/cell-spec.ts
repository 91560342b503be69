import type { CellSpec } from './k6-cell-types.ts';
import type { LoadPlan, PlannedCell } from './plan.ts';

/** What of a cell depends on the target and on whoever sends it. */
export type Sender = Pick<CellSpec, 'baseUrl' | 'credentials' | 'userAgent'> & {
  readonly caFile?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly csrf: boolean;
};

/** A planned cell as k6 runs it, on this machine or on others. */
export function cellSpecOf(plan: LoadPlan, cell: PlannedCell, sender: Sender): CellSpec {
  const { caFile, insecure, csrf, ...always } = sender;
  return {
    operation: cell.operation,
    ...always,
    ...(caFile === undefined ? {} : { caFile }),
    ...(insecure === true ? { insecure } : {}),
    ratePerSecond: cell.targetPerSecond,
    durationSeconds: cell.warmupSeconds + cell.durationSeconds,
    ...(cell.ramp === undefined ? {} : { ramp: cell.ramp }),
    connections: cell.connections,
    timeoutMs: cell.timeoutMs,
    policyName: plan.policy,
    pool: cell.pool,
    ...(csrf ? { csrf } : {}),
    ...(plan.keepAlive ? {} : { newConnections: true }),
    ...(cell.segments === undefined ? {} : { segments: cell.segments }),
  };
}
