import { defined } from '../../lib/defined.ts';
import type { CapacitySpec } from './spec.ts';

/** What a search does unless it is told otherwise. */
const DEFAULTS = {
  confirmSeconds: 600,
  repeats: 20,
  sweep: [1, 2, 5, 10, 20, 50, 100, 200],
  curve: 'both',
  curveSeconds: 30,
} as const satisfies Partial<CapacitySpec>;

/** The same for our own deployment, which only shows what a search is like: a few minutes of it. */
const EMBEDDED_DEFAULTS = {
  confirmSeconds: 20,
  repeats: 16,
  sweep: [1, 10, 100],
  curve: 'even',
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
  const { confirmSeconds, repeats, sweep, curve, curveSeconds, ...given } = spec;
  const own = defined({ confirmSeconds, repeats, sweep, curve, curveSeconds });
  return { ...given, ...(embedded ? EMBEDDED_DEFAULTS : DEFAULTS), ...own };
}
