import { defined } from '../../lib/defined.ts';
import type { CapacitySpec } from './spec.ts';

const DEFAULTS = {
  confirmSeconds: 150,
  recoverySeconds: 10,
} as const satisfies Partial<CapacitySpec>;

/** Of our own deployment, which only shows what a search is like: a few minutes of it. */
const EMBEDDED = { confirmSeconds: 20, recoverySeconds: 4 } as const;

type Open = keyof typeof DEFAULTS;

/** Options of a search, all of them set. */
export type WholeCapacitySpec = Omit<CapacitySpec, Open> & {
  readonly [Key in Open]: Readonly<NonNullable<CapacitySpec[Key]>>;
};

/** Options of a search with what is not set; `embedded` for our own deployment. */
export function wholeSpec(spec: CapacitySpec, embedded = false): WholeCapacitySpec {
  const { confirmSeconds, recoverySeconds, ...given } = spec;
  return {
    ...given,
    ...DEFAULTS,
    ...(embedded ? EMBEDDED : {}),
    ...defined({ confirmSeconds, recoverySeconds }),
  };
}
