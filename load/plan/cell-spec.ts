import type { AncOperationName } from '../../lib/contract/anc.ts';
import { defined } from '../../lib/defined.ts';
import { type Arrivals, poissonDues } from '../../lib/wire/arrivals.ts';
import { TAIL_MS } from '../../lib/wire/scenario.ts';
import type { LoadPlan, PlannedCell } from './plan.ts';

/** The part of the endpoint pool that one cell uses: `size` endpoints from number `offset` on. */
export interface CellPool {
  readonly offset: number;
  readonly size: number;
  /** Order of use: `permutation(size, seed)`. Apply and clear of one chain share it. */
  readonly seed: number;
  readonly source:
    | { readonly kind: 'range'; readonly firstMac: string; readonly firstIp?: string }
    /** File with one `MAC[,IP]` per line; blank lines and lines starting with # do not count. */
    | { readonly kind: 'file'; readonly path: string };
}

/** One cell as k6 runs it. */
export interface CellSpec {
  readonly operation: AncOperationName;
  readonly baseUrl: string;
  readonly credentials: { readonly username: string; readonly password: string } | null;
  readonly caFile?: string;
  readonly insecure?: boolean;
  readonly ratePerSecond: number;
  readonly durationSeconds: number;
  /** Set where arrivals come at random: how, and the seconds of the duration that are the warm-up. */
  readonly random?: { readonly arrivals: Exclude<Arrivals, 'even'>; readonly warmupSeconds: number };
  /** An unmeasured ramp-up from nothing to the rate before it, on the endpoints of the first `arrivals`. */
  readonly ramp?: { readonly seconds: number; readonly arrivals: number };
  /** Connections, one for each virtual user. */
  readonly connections: number;
  readonly timeoutMs: number;
  readonly policyName: string;
  readonly pool: CellPool;
  /** Fetch a CSRF token on every connection, and again when it is refused. */
  readonly csrf?: boolean;
  /** A new connection for each transaction, to compare with connections that are kept. */
  readonly newConnections?: boolean;
  /** Names the run to whoever reads the target's log. */
  readonly userAgent: string;
  /** Mark rows with the clock, where nobody watches it from outside. */
  readonly markClock?: boolean;
  /** k6 processes that carry the arrivals together, with one common start; one unless set. */
  readonly segments?: number;
  /** Further outputs of k6, as k6 takes them with --out; the samples stay on its standard output. */
  readonly k6Outputs?: readonly string[];
  /** Tags on what goes to those outputs; few values each, because every combination is a time series. */
  readonly k6Tags?: Readonly<Record<string, string>>;
}

/** Target- and sender-specific fields of a cell. */
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
    ...defined({ caFile }),
    ...(insecure === true ? { insecure } : {}),
    ratePerSecond: cell.targetPerSecond,
    durationSeconds: cell.warmupSeconds + cell.durationSeconds,
    ...(cell.arrivals === 'poisson' ? { random: { arrivals: cell.arrivals, warmupSeconds: cell.warmupSeconds } } : {}),
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

/** Intended starts of arrivals at random, microseconds since the start of the schedule; undefined where they are even. */
export function duesOf(spec: CellSpec): Float64Array | undefined {
  if (spec.random === undefined) return undefined;
  const { ratePerSecond, durationSeconds, pool } = spec;
  const endsSeconds = [spec.random.warmupSeconds, durationSeconds, durationSeconds + TAIL_MS / 1000];
  return poissonDues({ ratePerSecond, endsSeconds, seed: pool.seed });
}
