import type { Depth } from '../../lib/records/vocabulary.ts';

/** Sequences of a family before it has planned them, and how many results take as long as one. */
const EXPECTED = { quick: 12, normal: 120, deep: 2000 } satisfies Readonly<Record<Depth, number>>;
const RESULTS_EACH = 2.5;

/** Share of the work of a conformance run that is done, from 0 to 1. */
export interface WorkShare {
  /** Takes in how many results there are. */
  readonly results: (done: number) => number;
  /** Takes in how many sequences of a family are done, of how many. */
  readonly sequences: (family: string, done: number, planned: number) => number;
}

/** Opens the count for so many results of these families. */
export function workShare(results: number, families: readonly string[], depth: Depth = 'normal'): WorkShare {
  const of = new Map<string, { readonly done: number; readonly planned: number }>();
  let resultsDone = 0;
  const share = () => {
    const known = [...of.values()];
    const planned = known.reduce((sum, one) => sum + one.planned, 0);
    const each = known.length === 0 ? EXPECTED[depth] : planned / known.length;
    const all = planned + each * (families.length - known.length);
    const done = known.reduce((sum, one) => sum + one.done, 0);
    return (resultsDone + RESULTS_EACH * done) / (results + RESULTS_EACH * all);
  };
  return {
    results(done) {
      resultsDone = done;
      return share();
    },
    sequences(family, done, planned) {
      of.set(family, { done, planned });
      return share();
    },
  };
}
