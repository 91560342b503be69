import { type NamedPool, partition } from '../../lib/client/anc/pool.ts';
import { ANC_CHAINS, type AncOperationName, PROFILES, type ProfileName } from '../../lib/contract/anc.ts';
import { defined } from '../../lib/defined.ts';
import type { CellFacts } from '../../lib/records/load.ts';
import type { Tier } from '../../lib/records/vocabulary.ts';
import { rampArrivals, TAIL_MS } from '../../lib/wire/scenario.ts';
import { type AbortLimits, DEFAULT_ABORT } from './abort-rules.ts';
import type { CellPool, CellSpec } from './cell-spec.ts';
import { CAPS, checkAddresses, checked, checkedRate, checkPolicy, refused } from './limits.ts';
import { checkSegments } from './segments.ts';

/** What to load, and how hard. */
export interface LoadOptions {
  readonly profiles: readonly ProfileName[];
  readonly operations: readonly AncOperationName[];
  readonly tier: Tier;
  readonly pool: NamedPool;
  readonly policy: string;
  readonly timeoutMs: number;
  /** Arrivals per second; that of the specification unless set. */
  readonly ratePerSecond?: number;
  /** Measured seconds of each cell, instead of the tier's. */
  readonly durationSeconds?: number;
  /** Seconds of an unmeasured ramp-up to the rate before each cell, instead of the tier's; 0 for none. */
  readonly rampSeconds?: number;
  readonly connections?: number;
  /** k6 processes that carry each cell together; one unless set. */
  readonly segments?: number;
  /** Measured seconds in all: the cells are repeated until they add up to it. */
  readonly soakSeconds?: number;
  /** False: a new connection for each transaction. */
  readonly keepAlive?: boolean;
  /** Requests a second of background traffic: list pages, reads, creates, updates, deletes; none unless set. */
  readonly backgroundPerSecond?: number;
  /** Lag of the generator that is allowed, instead of the usual 10 ms. */
  readonly lagLimitMs?: number;
  readonly seed?: number;
  /** Take a policy whose name says that it shuts or bounces ports. */
  readonly allowDisruptivePolicy?: boolean;
  /** Use endpoints that already hold a policy; it is lost. */
  readonly takeOver?: boolean;
  /** Abort rules other than the usual ones. */
  readonly abort?: Partial<AbortLimits>;
}

/** One cell as planned. */
export interface PlannedCell {
  readonly profile: ProfileName;
  readonly operation: AncOperationName;
  readonly sessions: number;
  readonly targetPerSecond: number;
  readonly durationSeconds: number;
  readonly warmupSeconds: number;
  /** An unmeasured ramp-up to the rate before the warm-up, and the arrivals it may have. */
  readonly ramp?: NonNullable<CellSpec['ramp']>;
  readonly bucketSeconds: number;
  readonly connections: number;
  /** k6 processes that carry it together, where there are several. */
  readonly segments?: number;
  readonly timeoutMs: number;
  readonly pool: CellPool;
  /** Endpoints it uses, one for each arrival; those of the ramp and the tail are among them, and one that k6 may start beyond it. */
  readonly endpointCount: number;
  /** Seconds until the same endpoint would be used again, had the cell no end. */
  readonly reuseSeconds: number;
  /** Set where the cells are repeated: number of the iteration, from 1. */
  readonly iteration?: number;
  /** Set on the steps of a search for the capacity. */
  readonly step?: NonNullable<CellFacts['step']>;
}

/** Every cell in the order it runs; a pure function of the options. */
export interface LoadPlan {
  readonly tier: Tier;
  readonly pool: NamedPool;
  readonly policy: string;
  readonly takeOver: boolean;
  /** False: a new connection for each transaction. */
  readonly keepAlive: boolean;
  /** Requests a second of background traffic; 0 for none. */
  readonly backgroundPerSecond: number;
  readonly lagLimitMs?: number;
  /** When a cell is stopped to spare the target. */
  readonly abort: AbortLimits;
  /** False where a chain needs the whole pool, so that the chains use the same endpoints one after the other. */
  readonly disjointChains: boolean;
  readonly cells: readonly PlannedCell[];
}

/** Seconds of each tier; the full tier lasts one pass over the population. Buckets are of intended start. */
const TIERS = {
  quick: { durationSeconds: 10, rampSeconds: 0, warmupSeconds: 2, bucketSeconds: 1 },
  nightly: { durationSeconds: 60, rampSeconds: 10, warmupSeconds: 5, bucketSeconds: 10 },
  full: { durationSeconds: null, rampSeconds: 10, warmupSeconds: 10, bucketSeconds: 10 },
} as const satisfies Readonly<Record<Tier, object>>;

/** At 250 arrivals a second, 100 connections ride out a stall of 0.4 s without a drop. */
export const DEFAULT_CONNECTIONS = 100;
interface Shape extends Pick<PlannedCell, 'ramp'> {
  readonly targetPerSecond: number;
  readonly durationSeconds: number;
  readonly warmupSeconds: number;
  readonly bucketSeconds: number;
  readonly connections: number;
  readonly endpointCount: number;
}

function shapeOf(options: LoadOptions, profile: ProfileName): Shape {
  const tier = TIERS[options.tier];
  const targetPerSecond = checkedRate(options.ratePerSecond ?? PROFILES[profile].ancPerSecond);
  const connections = checked('connections', options.connections ?? DEFAULT_CONNECTIONS);
  // Every connection has made its handshake before the first figure is taken.
  const warmupSeconds = Math.max(tier.warmupSeconds, Math.ceil(connections / targetPerSecond) + 1);
  const tailSeconds = TAIL_MS / 1000;
  const rampSeconds = options.rampSeconds ?? tier.rampSeconds;
  if (rampSeconds !== 0) checked('rampSeconds', rampSeconds);
  const rampUpArrivals = rampArrivals(targetPerSecond, rampSeconds);
  const onePass = Math.floor((options.pool.size - 1 - rampUpArrivals) / targetPerSecond - tailSeconds) - warmupSeconds;
  const durationSeconds = options.durationSeconds ?? tier.durationSeconds ?? Math.min(onePass, CAPS.durationSeconds);
  const endpointCount =
    Math.ceil(targetPerSecond * (warmupSeconds + durationSeconds + tailSeconds)) + 1 + rampUpArrivals;
  if (options.pool.size < endpointCount) {
    const reuse = Math.floor(options.pool.size / targetPerSecond);
    refused(
      'pool-too-small',
      `${options.pool.size} endpoints at ${targetPerSecond}/s come round again after ${reuse} s, within a cell of ${warmupSeconds + Math.max(durationSeconds, 1)} s`,
      'name more endpoints, or make the cells shorter with --duration: a second apply to the same endpoint is an error of state',
    );
  }
  checked('durationSeconds', durationSeconds);
  const bucketSeconds = durationSeconds < 2 * tier.bucketSeconds ? 1 : tier.bucketSeconds;
  const ramp = rampSeconds === 0 ? {} : { ramp: { seconds: rampSeconds, arrivals: rampUpArrivals } };
  return { targetPerSecond, durationSeconds, warmupSeconds, ...ramp, bucketSeconds, connections, endpointCount };
}

/** Longest soak: a week. */
const MOST_SOAK_SECONDS = 7 * 24 * 3600;

/** The cells again and again, until their measured time adds up; each iteration finds the endpoints as the one before left them. */
function iterationsOf(cells: readonly PlannedCell[], soakSeconds: number | undefined): readonly PlannedCell[] {
  if (soakSeconds === undefined) return cells;
  if (soakSeconds > MOST_SOAK_SECONDS)
    refused('bad-number', `a soak of ${soakSeconds} s is too long`, 'a week at most');
  const seconds = cells.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  return Array.from({ length: Math.ceil(soakSeconds / seconds) }, (_, at) => at + 1).flatMap((iteration) =>
    cells.map((cell) => ({ ...cell, iteration })),
  );
}

/**
 * Plans a load: profiles times operations, in the order of the chains, on disjoint parts of the pool where it is large
 * enough. Sends nothing. Throws `UsageError` for numbers out of bounds, a pool that is too small, and a policy whose
 * name is on the deny list.
 */
export function planLoad(options: LoadOptions): LoadPlan {
  const { pool, tier, policy } = options;
  checkPolicy(options);
  checkAddresses(options);
  checked('timeoutMs', options.timeoutMs);
  checkSegments(options.connections ?? DEFAULT_CONNECTIONS, options.segments ?? 1);
  if (options.profiles.length === 0 || options.operations.length === 0) {
    refused('no-cells', 'the plan has no cell', 'name a profile and an operation');
  }
  const shapes = options.profiles.map((profile) => ({ profile, shape: shapeOf(options, profile) }));
  const parts = partition(pool, ANC_CHAINS.length);
  const disjointChains = shapes.every(({ shape }) => parts.every((part) => part.size >= shape.endpointCount));
  const cells = shapes.flatMap(({ profile, shape }) =>
    ANC_CHAINS.flatMap((chain, index): PlannedCell[] => {
      const part = (disjointChains ? parts[index] : undefined) ?? { offset: 0, size: pool.size };
      return chain
        .filter((operation) => options.operations.includes(operation))
        .map((operation) => ({
          profile,
          operation,
          sessions: PROFILES[profile].sessions,
          ...shape,
          ...defined({ segments: options.segments }),
          timeoutMs: options.timeoutMs,
          pool: { ...part, seed: (options.seed ?? 1) + index, source: pool.source },
          reuseSeconds: part.size / shape.targetPerSecond,
        }));
    }),
  );
  const abort = { ...DEFAULT_ABORT, ...options.abort };
  return {
    ...{ tier, pool, policy, abort, disjointChains },
    takeOver: options.takeOver === true,
    keepAlive: options.keepAlive !== false,
    backgroundPerSecond: options.backgroundPerSecond ?? 0,
    ...defined({ lagLimitMs: options.lagLimitMs }),
    cells: iterationsOf(cells, options.soakSeconds),
  };
}
