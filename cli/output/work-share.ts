import type { Family } from '../../lib/contract/types.ts';
import type { Depth } from '../../lib/records/vocabulary.ts';

/** Sequences of a family before it has planned them: one that records are made in, and one that is only read. */
const EXPECTED = {
  written: { quick: 12, normal: 150, deep: 2000 },
  read: { quick: 8, normal: 50, deep: 500 },
} satisfies Readonly<Record<string, Readonly<Record<Depth, number>>>>;
/** How many results take as long as one sequence. */
const RESULTS_EACH = 2.5;

/** Counts the share of the work of a conformance run that is done, from 0 to 1: of so many results of these families. */
export function workShare(results: number, families: readonly Family[], depth: Depth = 'normal') {
  const of = new Map<string, { readonly done: number; readonly planned: number }>();
  let resultsDone = 0;
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  /** Sequences of families of one kind: what is not planned yet is taken for as much as those that are. */
  const planned = (kind: keyof typeof EXPECTED, some: readonly Family[]) => {
    const known = some.flatMap(({ name }) => of.get(name)?.planned ?? []);
    const each = known.length === 0 ? EXPECTED[kind][depth] : sum(known) / known.length;
    return sum(known) + each * (some.length - known.length);
  };
  const isWritten = ({ ops }: Family) => ops.includes('create') || ops.includes('apply');
  const share = () => {
    const all =
      planned('written', families.filter(isWritten)) +
      planned(
        'read',
        families.filter((each) => !isWritten(each)),
      );
    const done = sum([...of.values()].map((one) => one.done));
    return (resultsDone + RESULTS_EACH * done) / (results + RESULTS_EACH * all);
  };
  return {
    /** Takes in how many results there are. */
    results(done: number): number {
      resultsDone = done;
      return share();
    },
    /** Takes in how many sequences of a family are done, of how many. */
    sequences(family: string, done: number, sequences: number): number {
      of.set(family, { done, planned: sequences });
      return share();
    },
  };
}
export type WorkShare = ReturnType<typeof workShare>;
