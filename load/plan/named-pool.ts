import type { NamedPool } from '../../lib/client/anc/pool.ts';

/** Endpoints and the policy that ANC may put on them; both are always named by the operator. */
export interface NamedPolicyPool {
  /** As given with --endpoints. */
  readonly spec: string;
  readonly pool: NamedPool;
  readonly policy: string;
}
