import { ANC_OPERATIONS, type AncOperation } from '../../lib/contract/anc.ts';
import { OPS } from '../../lib/contract/operations.ts';
import { recordedOptions } from '../../lib/option.ts';
import { permutation } from '../../lib/wire/endpoint.ts';
import { RAMP_PAUSE_MS } from '../../lib/wire/scenario.ts';
import type { LoadPlan, PlannedCell } from './plan.ts';
import { LoadSpec } from './spec.ts';

/** Seconds a cell takes beyond its arrivals: start and stop of k6, preparation, read-back. */
const OVERHEAD_SECONDS = 1.5;
const SHOWN = 3;

/** The exact plan as data, for `--dry-run --json`. */
export interface PlanDescription {
  /** Every option of the load by name, with its effective value. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly pool: string;
  readonly policy: string;
  readonly disjointChains: boolean;
  readonly cells: readonly (Omit<PlannedCell, 'pool'> & {
    readonly method: string;
    readonly requests: number;
    /** Numbers of the first pool endpoint and of the last of its part. */
    readonly part: readonly [number, number];
    /** MAC addresses used first and last. */
    readonly first: readonly string[];
    readonly last: string;
  })[];
  /** When a cell is stopped to spare the target. */
  readonly abort: LoadPlan['abort'];
  readonly totalRequests: number;
  readonly estimatedSeconds: number;
}

/** Seconds of the ramp-up and of the pause after it. */
export function rampUpSeconds({ ramp }: PlannedCell): number {
  return ramp === undefined ? 0 : ramp.seconds + RAMP_PAUSE_MS / 1000;
}

/** What the plan would send; nothing is sent to find out. */
export function describePlan(plan: LoadPlan): PlanDescription {
  const cells = plan.cells.map(({ pool, ...cell }) => {
    const order = permutation(pool.size, pool.seed);
    const macOf = (seq: number) => plan.pool.at(pool.offset + order(seq)).macAddress;
    const { op }: AncOperation = ANC_OPERATIONS[cell.operation];
    return {
      ...cell,
      method: `${OPS[op].method} ${OPS[op].path}`,
      requests: cell.endpointCount - 1,
      part: [pool.offset, pool.offset + pool.size - 1] as const,
      first: Array.from({ length: Math.min(SHOWN, cell.endpointCount) }, (_, seq) => macOf(seq)),
      last: macOf(cell.endpointCount - 1),
    };
  });
  const { policy, disjointChains, abort } = plan;
  return {
    options: recordedOptions(LoadSpec, plan.spec),
    pool: plan.pool.describe(),
    policy,
    disjointChains,
    cells,
    abort,
    totalRequests: cells.reduce((sum, cell) => sum + cell.requests, 0),
    estimatedSeconds: plan.cells.reduce(
      (sum, cell) => sum + rampUpSeconds(cell) + cell.warmupSeconds + cell.durationSeconds + OVERHEAD_SECONDS,
      0,
    ),
  };
}

/** The plan as lines for people. */
export function planText(plan: LoadPlan): string {
  const described = describePlan(plan);
  const lines = described.cells.map(
    (cell) =>
      `${cell.profile} ${cell.operation}: ${cell.method}, ${cell.targetPerSecond}/s for ${cell.ramp === undefined ? '' : `a ramp-up of ${cell.ramp.seconds} s, `}${cell.warmupSeconds} s warm-up and ${cell.durationSeconds} s, ` +
      `${cell.requests} requests on ${cell.connections} connections, endpoints ${cell.part[0]} to ${cell.part[1]} ` +
      `(${cell.first.join(', ')} … ${cell.last}), each endpoint is reused after ${Math.floor(cell.reuseSeconds)} s`,
  );
  return [
    `tier ${plan.spec.tier}, policy "${described.policy}", pool of ${described.pool}`,
    described.disjointChains
      ? 'the chains use disjoint parts of the pool'
      : 'the pool is too small for disjoint chains: they use the same endpoints one after the other',
    ...(plan.spec.takeOver ? ['endpoints that already hold a policy are taken over, and lose it'] : []),
    ...lines,
    `${described.totalRequests} requests in ${described.cells.length} cells, about ${Math.ceil(described.estimatedSeconds)} s`,
    'every endpoint is cleared at the end; preparation and read-back come on top',
  ].join('\n');
}
