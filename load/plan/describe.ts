import { ANC_OPERATIONS } from '../../lib/contract/anc.ts';
import { OPS } from '../../lib/contract/operations.ts';
import { recordedOptions } from '../../lib/option.ts';
import { counted } from '../../lib/text.ts';
import { loadPhases, phasesText, secondsOf } from './phases.ts';
import { LOOKS, type LoadPlan, mostProposed, type PlannedCell } from './plan.ts';
import { LoadSpec } from './spec.ts';

/** Lag that the judge allows unless the plan says otherwise. */
const LAG_LIMIT_MS = 10;

/** Connections before the target was asked: as set, or the most that are proposed; one that looks at endpoints is among them. */
function describedConnections({ spec }: LoadPlan, cell: Omit<PlannedCell, 'pool'>) {
  if (spec.connections !== undefined) return { connections: spec.connections, connectionsBy: 'option' } as const;
  return { connections: mostProposed(cell) + LOOKS, connectionsBy: 'latency' } as const;
}

function connectionsText(cell: ReturnType<typeof describedConnections>): string {
  const { connections, connectionsBy } = cell;
  return connectionsBy === 'option'
    ? `on ${counted(connections, 'connection')}, ${LOOKS} of them for looks`
    : `on as many connections as the latency needs, at most ${connections}`;
}

/** The exact plan as data, for `--dry-run --json`; nothing is sent to find out. */
export function describePlan(plan: LoadPlan, baseUrl: string) {
  const cells = plan.cells.map(({ pool, ...cell }) => {
    const { op } = ANC_OPERATIONS[cell.operation];
    return {
      ...cell,
      method: `${OPS[op].method} ${OPS[op].path}`,
      requests: cell.endpointCount - 1,
      ...describedConnections(plan, cell),
      /** Numbers of the first pool endpoint and of the last of its part. */
      part: [pool.offset, pool.offset + pool.size - 1] as const,
    };
  });
  const { policy, disjointChains, abort } = plan;
  return {
    /** Every option of the load by name, with its effective value. */
    options: recordedOptions(LoadSpec, plan.spec),
    baseUrl,
    pool: plan.pool.describe(),
    policy,
    disjointChains,
    cells,
    abort,
    totalRequests: cells.reduce((sum, cell) => sum + cell.requests, 0),
    estimatedSeconds: secondsOf(plan.cells),
  };
}

function abortText({ forbidden, serverErrorShare, refusedShare, p99Ms }: LoadPlan['abort']): string {
  const slow = p99Ms === undefined ? '' : `, when the p99 of service time stays above ${p99Ms} ms for 5 s`;
  return (
    `a measurement is stopped at the first answer 401, at ${forbidden} answers 403, ` +
    `when more than ${serverErrorShare * 100} % of 5 s are answered 5xx or more than ${refusedShare * 100} % get no connection${slow}`
  );
}

export function planText(plan: LoadPlan, baseUrl: string): string {
  const described = describePlan(plan, baseUrl);
  const lines = described.cells.map(
    (cell) =>
      `${cell.profile} ${cell.operation}: ${cell.method}, ${cell.targetPerSecond}/s: ${cell.ramp === undefined ? '' : `${cell.ramp.seconds} s ramp-up, `}${cell.warmupSeconds} s warm-up, ${cell.durationSeconds} s measured, ` +
      `${counted(cell.requests, 'request')} ${connectionsText(cell)}, endpoints ${cell.part[0]} to ${cell.part[1]}, ${cell.requests < cell.part[1] - cell.part[0] + 1 ? 'each at most once' : `each again after ${Math.floor(cell.reuseSeconds)} s`}`,
  );
  return [
    `target ${baseUrl}`,
    `depth ${plan.spec.depth}, policy "${described.policy}", pool of ${described.pool}`,
    ...(plan.spec.takeOver ? ['endpoints that already hold a policy are taken over, and lose it'] : []),
    ...lines,
    `a measurement passes if every request succeeds and the endpoints read back hold what was promised; it proves nothing if more than 1 % of the requests (10 % of a few) are sent over ${plan.spec.lagLimitMs ?? LAG_LIMIT_MS} ms late`,
    abortText(plan.abort),
    'every endpoint is cleared at the end; preparation and read-back come on top',
    phasesText(loadPhases(plan)),
  ].join('\n');
}
