import { defined } from '../../lib/defined.ts';
import type { CapacitySpec } from './spec.ts';

/** What a search does unless it is told otherwise. */
const DEFAULTS = {
  confirmSeconds: 150,
  sweep: [],
  curve: 'recovery',
  curveSeconds: 30,
} as const satisfies Partial<CapacitySpec>;

/** The same for our own deployment, which only shows what a search is like: a few minutes of it. */
const EMBEDDED_DEFAULTS = {
  confirmSeconds: 20,
  sweep: [],
  curve: 'recovery',
  curveSeconds: 4,
} as const satisfies Partial<CapacitySpec>;

/** Transactions a second that our own deployment does in a search. */
export const EMBEDDED_RATE = 400;

type Open = keyof typeof DEFAULTS;

/** Options of a search, all of them set. */
export type WholeCapacitySpec = Omit<CapacitySpec, Open> & {
  readonly [Key in Open]: Readonly<NonNullable<CapacitySpec[Key]>>;
};

/** Options of a search with what is not set; `embedded` for our own deployment. */
export function wholeSpec(spec: CapacitySpec, embedded = false): WholeCapacitySpec {
  const { confirmSeconds, sweep, curve, curveSeconds, ...given } = spec;
  const own = defined({ confirmSeconds, sweep, curve, curveSeconds });
  return { ...given, ...(embedded ? EMBEDDED_DEFAULTS : DEFAULTS), ...own };
}
