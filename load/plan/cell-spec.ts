import type { NamedPool } from '../../lib/client/anc/pool.ts';
import type { TargetConfig } from '../../lib/client/types.ts';
import type { AncOperationName } from '../../lib/contract/anc.ts';
import type { Schedule } from '../../lib/wire/arrivals.ts';
import type { Order } from '../../lib/wire/endpoint.ts';

/** The part of the endpoint pool that one cell uses: `size` endpoints from number `offset` on. */
export interface CellPool {
  readonly offset: number;
  readonly size: number;
  /** Order of use: `endpointOrder(size, seed, order)`. Apply and clear of one chain share it. */
  readonly seed: number;
  /** Affine where absent. */
  readonly order?: Order;
  readonly source: NamedPool['source'];
}

/** One cell as k6 runs it. */
export interface CellSpec extends Pick<TargetConfig, 'baseUrl' | 'credentials' | 'caFile' | 'insecure'> {
  readonly operation: AncOperationName;
  /** PEM texts that the client shows; like credentials they go to no record. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
  readonly ratePerSecond: number;
  readonly durationSeconds: number;
  /** Set where arrivals are no constant rate. */
  readonly schedule?: Schedule;
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
