import type { NamedPool } from '../../lib/client/anc/pool.ts';
import {
  ANC_CHAINS,
  ANC_OPERATIONS,
  type AncOperationName,
  PROFILES,
  type ProfileName,
} from '../../lib/contract/anc.ts';
import { UsageError } from '../../lib/errors.ts';
import type { CellFacts } from '../../lib/records/load/load.ts';
import { LATENCY_MARGIN, PAUSE_MS, type Sizing } from '../../lib/records/load/parts.ts';
import type { Depth } from '../../lib/records/vocabulary.ts';
import { count, counted } from '../../lib/text.ts';
import { rampArrivals, type Stretch, TAIL_MS } from '../../lib/wire/scenario.ts';
import { type AbortLimits, abortLimits } from './abort-rules.ts';
import type { CellPool, CellSpec, NamedPolicyPool } from './cell-spec.ts';
import { CAPS, DEFAULT_CONNECTIONS, type LoadGiven, type LoadSpec, loadSpec } from './spec.ts';

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
  /** Connections for the arrivals; until the load has sized them, as many as were given, or the most of a cluster. */
  readonly connections: number;
  readonly sizing?: Sizing;
  /** Rates one after the other, from the start of the warm-up to the end, where there is more than one; `targetPerSecond` is the first. */
  readonly stretches?: readonly Stretch[];
  readonly pool: CellPool;
  /** Endpoints it uses, one for each arrival; those of the ramp and the tail are among them, and one that k6 may start beyond it. */
  readonly endpointCount: number;
  /** Seconds until the same endpoint would be used again, had the cell no end. */
  readonly reuseSeconds: number;
  /** Set on the steps of a search for the capacity. */
  readonly step?: NonNullable<CellFacts['step']>;
  /** It ends so long after the first arrival that was not served: it has shown by then that its rate does not hold. */
  readonly stopAfterSeconds?: number;
}

/** Every cell in the order it runs; a pure function of the options. */
export interface LoadPlan {
  readonly spec: LoadSpec;
  readonly pool: NamedPool;
  readonly policy: string;
  readonly abort: AbortLimits;
  /** False if a chain needs the whole pool, so that the chains use the same endpoints one after the other. */
  readonly disjointChains: boolean;
  readonly cells: readonly PlannedCell[];
}

/** Seconds of a cell by depth; a deep one lasts one pass over the population. Buckets are of intended start. */
const DEPTHS = {
  quick: { durationSeconds: 10, rampSeconds: 0, warmupSeconds: 2, bucketSeconds: 1 },
  normal: { durationSeconds: 60, rampSeconds: 10, warmupSeconds: 5, bucketSeconds: 10 },
  deep: { durationSeconds: null, rampSeconds: 10, warmupSeconds: 10, bucketSeconds: 10 },
} as const satisfies Readonly<Record<Depth, object>>;

/** Refuses profiles that would be labels of the same load: one deployment has one population. */
export function checkPopulations(profiles: readonly ProfileName[]): void {
  if (new Set(profiles).size < 2) return;
  throw new UsageError(
    'same-population',
    `${profiles.join(' and ')} on one deployment are the same load under different names`,
    { hint: 'name the profile that the deployment has' },
  );
}

function shapeOf(spec: LoadSpec, poolSize: number, profile: ProfileName) {
  const depth = DEPTHS[spec.depth];
  const targetPerSecond = spec.ratePerSecond ?? PROFILES[profile].ancPerSecond;
  const connections = spec.connections ?? sharedBy(spec.segments, DEFAULT_CONNECTIONS);
  // Every connection has made its handshake before the first figure is taken.
  const warmupSeconds = Math.max(depth.warmupSeconds, Math.ceil(connections / targetPerSecond) + 1);
  const tailSeconds = TAIL_MS / 1000;
  const rampSeconds = spec.rampSeconds ?? depth.rampSeconds;
  const rampUpArrivals = rampArrivals(targetPerSecond, rampSeconds);
  const onePass = Math.floor((poolSize - 1 - rampUpArrivals) / targetPerSecond - tailSeconds) - warmupSeconds;
  const durationSeconds = spec.durationSeconds ?? depth.durationSeconds ?? Math.min(onePass, CAPS.durationSeconds);
  const endpointCount =
    Math.ceil(targetPerSecond * (warmupSeconds + durationSeconds + tailSeconds)) + 1 + rampUpArrivals;
  if (poolSize < endpointCount || durationSeconds < 1) {
    const least = endpointCount + Math.max(0, Math.ceil(targetPerSecond * (1 - durationSeconds)));
    throw new UsageError(
      'pool-too-small',
      `${count(poolSize)} endpoints at ${targetPerSecond}/s are too few: this measurement needs at least ${count(least)}`,
      {
        hint: 'name more endpoints with --endpoints, or a shorter time with --duration: an endpoint is used once in each, because a second apply may be refused',
      },
    );
  }
  const bucketSeconds = durationSeconds < 2 * depth.bucketSeconds ? 1 : depth.bucketSeconds;
  const ramp = rampSeconds === 0 ? {} : { ramp: { seconds: rampSeconds, arrivals: rampUpArrivals } };
  return { targetPerSecond, durationSeconds, warmupSeconds, ...ramp, bucketSeconds, connections, endpointCount };
}

/** Cuts a pool into `count` disjoint parts of (nearly) the same size, in order; together they are the pool. */
export function partition(size: number, count: number) {
  const bounds = Array.from({ length: count + 1 }, (_, part) => Math.floor((size * part) / count));
  return bounds.slice(1).map((end, part) => ({ offset: bounds[part] ?? 0, size: end - (bounds[part] ?? 0) }));
}

/** Plans a load: profiles × operations, in the order of the chains. Throws `UsageError` for a pool, policy or option that will not do. */
export function planLoad(given: LoadGiven, { pool, policy }: Pick<NamedPolicyPool, 'pool' | 'policy'>): LoadPlan {
  const spec = loadSpec(given);
  const { profiles = [], operations } = spec;
  checkPolicy(policy, spec);
  checkAddresses(operations, pool);
  if (spec.connections !== undefined) checkSegments(spec.connections, spec.segments);
  if (profiles.length === 0 || operations.length === 0) {
    throw new UsageError('no-cells', 'the plan has no cell', { hint: 'name a profile and an operation' });
  }
  checkPopulations(profiles);
  const shapes = profiles.map((profile) => ({ profile, shape: shapeOf(spec, pool.size, profile) }));
  const parts = partition(pool.size, ANC_CHAINS.length);
  const disjointChains = shapes.every(({ shape }) => parts.every((part) => part.size >= shape.endpointCount));
  const cells = shapes.flatMap(({ profile, shape }) =>
    ANC_CHAINS.flatMap((chain, index): PlannedCell[] => {
      const part = (disjointChains ? parts[index] : undefined) ?? { offset: 0, size: pool.size };
      return chain
        .filter((operation) => operations.includes(operation))
        .map((operation) => ({
          profile,
          operation,
          sessions: PROFILES[profile].sessions,
          ...shape,
          pool: { ...part, seed: spec.seed + index, source: pool.source },
          reuseSeconds: part.size / shape.targetPerSecond,
        }));
    }),
  );
  return { spec, pool, policy, abort: abortLimits(spec), disjointChains, cells };
}

/** A plan of one cell for each operation, which reaches the first endpoints of a pool: for preparing and probing, not for a load. */
export function reachingPlan(
  given: LoadGiven,
  { pool, policy }: Pick<NamedPolicyPool, 'pool' | 'policy'>,
  size: number,
) {
  const spec = loadSpec(given);
  const { profiles: [profile = '60k'] = [], connections = DEFAULT_CONNECTIONS } = spec;
  const { sessions, ancPerSecond: targetPerSecond } = PROFILES[profile];
  const cells = spec.operations.map(
    (operation): PlannedCell => ({
      ...{ profile, operation, sessions, targetPerSecond, connections },
      ...{ durationSeconds: 1, warmupSeconds: 0, bucketSeconds: 1, endpointCount: size },
      reuseSeconds: size / targetPerSecond,
      pool: { offset: 0, size, seed: 1, source: pool.source },
    }),
  );
  return { spec, pool, policy, abort: abortLimits(spec), disjointChains: false, cells } satisfies LoadPlan;
}

const DISRUPTIVE = /shut|bounce/i;

/** Throws a `UsageError`, as do all checks here. */
export function checkPolicy(policy: string, { allowDisruptivePolicy }: Pick<LoadSpec, 'allowDisruptivePolicy'>): void {
  if (policy.trim() === '')
    throw new UsageError('no-policy', 'the policy has no name', { hint: 'name it with --policy' });
  if (DISRUPTIVE.test(policy) && !allowDisruptivePolicy) {
    const message = `policy "${policy}" sounds as if it shuts or bounces ports: under load it would take endpoints off the network`;
    throw new UsageError('disruptive-policy', message, {
      hint: 'name a policy made for tests, or allow this one with --allow-disruptive-policy',
    });
  }
}

export function checkAddresses(operations: readonly AncOperationName[], pool: NamedPolicyPool['pool']): void {
  const needsIp = operations.find((name) => ANC_OPERATIONS[name].items.includes('ipAddress'));
  if (needsIp !== undefined && !pool.hasIps) {
    throw new UsageError('pool-without-ip', `${needsIp} needs the IP address of every endpoint`, {
      hint: 'write the range as MAC+COUNT@IP, or choose the other operations with --operation',
    });
  }
}

/** Beyond this a share is too small to be worth a process. */
const MAX_SEGMENTS = 64;

/** k6 shares the arrivals as it shares its virtual users: what does not divide would be shared unevenly. Throws `UsageError`. */
export function checkSegments(connections: number, segments: number): void {
  const whole = Number.isInteger(segments) && segments >= 1 && segments <= MAX_SEGMENTS;
  if (whole && connections % segments === 0) return;
  throw new UsageError(
    'bad-segments',
    `${counted(connections, 'connection')} cannot be split evenly between ${counted(segments, 'segment')}`,
    { hint: `give up to ${MAX_SEGMENTS} --segments, and a number of --connections that theirs divides` },
  );
}

export type Sized = Pick<PlannedCell, 'targetPerSecond' | 'warmupSeconds'>;

/** Numbers that are proposed: so few that nights with nearly the same latency have the same one. */
const LADDER = [10, 15, 20, 30, 50, 70, 100, 150, 200] as const;
/** Connections of the harness while a cell runs: one looks at endpoints. */
export const LOOKS = 1;

/** Most connections of a cell that all make their handshake within its warm-up. */
export function mostProposed({ targetPerSecond, warmupSeconds }: Sized): number {
  return Math.max(1, Math.min(LADDER.at(-1) ?? 1, Math.floor(targetPerSecond * warmupSeconds)));
}

/** Connections that carry as many transactions at a time: the next number of the ladder, within what the cell can use. */
export function proposed(cell: Sized, inFlight: number): number {
  const most = mostProposed(cell);
  return Math.min(most, LADDER.find((step) => step >= inFlight) ?? most);
}

/** Connections by Little's law: arrivals in twice the latency, and while the target pauses. */
export function connectionsFor(cell: Sized, latencyMs: number): number {
  return proposed(cell, (cell.targetPerSecond * (LATENCY_MARGIN * latencyMs + PAUSE_MS)) / 1000);
}

/** The largest multiple of the segments within so many connections; one for each segment at least. */
export function sharedBy(segments: number, connections: number): number {
  return Math.max(segments, Math.floor(connections / segments) * segments);
}
