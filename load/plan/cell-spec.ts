import type { NamedPool } from '../../lib/client/anc/pool.ts';
import type { TargetConfig } from '../../lib/client/types.ts';
import type { AncOperationName } from '../../lib/contract/anc.ts';
import { defined } from '../../lib/defined.ts';
import { type EndpointPart, type ScenarioCell, type Schedule, type Stretch, TAIL_MS } from '../../lib/wire/scenario.ts';
import type { LoadPlan, PlannedCell } from './plan.ts';

/** Endpoints and the policies that ANC may put on them; all are always named by the operator. */
export interface NamedPolicyPool {
  readonly pool: NamedPool;
  /** The first, which a load puts on. */
  readonly policy: string;
  readonly policies: readonly string[];
}

export interface CellPool extends EndpointPart {
  readonly source: NamedPool['source'];
}

export interface CellSpec
  extends Omit<ScenarioCell, 'pool'>,
    Pick<TargetConfig, 'baseUrl' | 'credentials' | 'caFile' | 'insecure'> {
  readonly operation: AncOperationName;
  readonly pool: CellPool;
  /** PEM texts that the client shows; like credentials they go to no record. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
  /** Runners of a cluster that carry the arrivals together, with one common start; one unless set. */
  readonly segments?: number;
  /** Further outputs of k6, as k6 takes them with --out; the samples stay on its standard output. */
  readonly k6Outputs?: readonly string[];
  /** Tags on what goes to those outputs; few values each, because every combination is a time series. */
  readonly k6Tags?: Readonly<Record<string, string>>;
}

type Sender = Pick<CellSpec, 'baseUrl' | 'credentials' | 'userAgent'> & {
  readonly [Key in 'caFile' | 'insecure' | 'clientCertificate']?: CellSpec[Key] | undefined;
} & { readonly csrf: boolean };

/** Arrivals go on for a moment beyond the duration, in the record and in no figure. */
const tail = (ratePerSecond: number): Stretch => ({ seconds: TAIL_MS / 1000, ratePerSecond });

/** Schedule of a cell whose arrivals are no constant rate; undefined if they are. */
const scheduleOf = ({ targetPerSecond, stretches }: PlannedCell): Schedule | undefined =>
  stretches && { stretches: [...stretches, tail(stretches.at(-1)?.ratePerSecond ?? targetPerSecond)] };

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
    ...defined({ schedule: scheduleOf(cell), ramp: cell.ramp }),
    connections: cell.connections,
    timeoutMs: plan.spec.timeoutMs,
    policyName: plan.policy,
    pool: cell.pool,
    ...(csrf ? { csrf } : {}),
    ...(plan.spec.k6Outputs.length > 0 ? { k6Outputs: plan.spec.k6Outputs } : {}),
    ...(plan.spec.segments > 1 ? { segments: plan.spec.segments } : {}),
  };
}
