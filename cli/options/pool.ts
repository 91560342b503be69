import { readPool } from '../../lib/client/anc/pool.ts';
import { UsageError } from '../../lib/errors.ts';

/** Options that name what ANC may touch. */
export interface PoolOptions {
  readonly endpoints?: string;
  readonly policy?: string;
  readonly takeOver?: boolean;
  readonly allowDisruptivePolicy?: boolean;
  readonly allowForeignEndpoints?: boolean;
}

export interface NamedPolicyPool {
  readonly spec: string;
  readonly pool: ReturnType<typeof readPool>;
  readonly policy: string;
  /** Use endpoints that already hold a policy; it is lost. */
  readonly takeOver: boolean;
  /** Take a policy whose name says that it shuts or bounces ports. */
  readonly allowDisruptivePolicy: boolean;
}

/** The pool and the policy, both named outright: there is no default for what may be quarantined. */
export function requiredPool(options: PoolOptions): NamedPolicyPool {
  const missing = [
    ...(options.endpoints === undefined ? ['--endpoints'] : []),
    ...(options.policy === undefined ? ['--policy'] : []),
  ];
  if (options.endpoints === undefined || options.policy === undefined) {
    throw new UsageError(
      'no-pool',
      `${missing.join(' and ')} missing: ANC acts on live endpoints, so they are named, never guessed`,
      {
        hint: 'give --endpoints FILE|RANGE and --policy NAME',
      },
    );
  }
  return {
    spec: options.endpoints,
    pool: readPool(options.endpoints, { allowForeign: options.allowForeignEndpoints === true }),
    policy: options.policy,
    takeOver: options.takeOver === true,
    allowDisruptivePolicy: options.allowDisruptivePolicy === true,
  };
}
