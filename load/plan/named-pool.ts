import type { NamedPool } from '../../lib/client/anc/pool.ts';

/** Endpoints and the policies that ANC may put on them; all are always named by the operator. */
export interface NamedPolicyPool {
  readonly spec: string;
  readonly pool: NamedPool;
  /** The first, which a load puts on. */
  readonly policy: string;
  readonly policies: readonly string[];
}
