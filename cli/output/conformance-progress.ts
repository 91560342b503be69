import type { Family } from '../../lib/contract/types.ts';
import { causesOf } from '../../lib/judge/conformance/cause/causes.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import type { Depth } from '../../lib/records/vocabulary.ts';
import { counted } from '../../lib/text.ts';
import type { LiveChecks } from '../../reports/model/live.ts';
import type { Live } from '../live/live.ts';
import type { Output } from './output.ts';
import { startProgress } from './progress.ts';

/** Sequences of a family before it has planned them: one that records are made in, and one that is only read. */
const EXPECTED = {
  written: { quick: 12, normal: 150, deep: 2000 },
  read: { quick: 8, normal: 50, deep: 500 },
} satisfies Readonly<Record<string, Readonly<Record<Depth, number>>>>;
/** How many results take as long as one sequence. */
const RESULTS_EACH = 2.5;

type Sequences = ReadonlyMap<string, { readonly done: number; readonly planned: number }>;

/** True if a run may write to the family: it makes records, or puts policies on endpoints. */
export const isWritten = ({ ops }: Family): boolean => ops.includes('create') || ops.includes('apply');

/** The share of the work of a conformance run that is done, from 0 to 1: of so many results and of the sequences of these families. */
export function workShare(results: number, families: readonly Family[], depth: Depth = 'normal') {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  return (resultsDone: number, of: Sequences): number => {
    /** Sequences of families of one kind: what is not planned yet is taken for as much as those that are. */
    const planned = (kind: keyof typeof EXPECTED, some: readonly Family[]) => {
      const known = some.flatMap(({ name }) => of.get(name)?.planned ?? []);
      const each = known.length === 0 ? EXPECTED[kind][depth] : sum(known) / known.length;
      return sum(known) + each * (some.length - known.length);
    };
    const read = families.filter((each) => !isWritten(each));
    const all = planned('written', families.filter(isWritten)) + planned('read', read);
    const done = sum([...of.values()].map((one) => one.done));
    return (resultsDone + RESULTS_EACH * done) / (results + RESULTS_EACH * all);
  };
}

/** Shows the checks as they go, on the terminal and, where there is one, on the live page. */
export function checksView(
  output: Output,
  planned: number,
  work: ReturnType<typeof workShare>,
  live: Live | undefined,
) {
  const progress = startProgress('conformance', planned, output);
  const inWork = new Map<string, { check: string; sequences?: string }>();
  const counts: Partial<Record<ConformanceResult['verdict'], number>> = {};
  const failed: ConformanceResult[] = [];
  let causes: LiveChecks['causes'] = [];
  let causesOfMany = 0;
  let [done, share] = [0, 0];
  const made = new Map<string, { readonly done: number; readonly planned: number }>();
  const show = (said: string) => {
    share = work(done, made);
    progress.update(done, said, share);
  };
  const soFar = (): LiveChecks => {
    if (failed.length !== causesOfMany) causes = causesOf(failed.map((result) => ({ result })));
    causesOfMany = failed.length;
    const at = [...inWork].map(([family, one]) => ({ family, ...one }));
    return { done, planned, share, counts, inWork: at, causes };
  };
  live?.checks(soFar);
  live?.follow(() => ({ doing: `conformance ${done}/${planned}`, left: progress.left() }));
  return {
    check(family: string, check: string) {
      inWork.set(family, { check });
    },
    result(result: ConformanceResult) {
      // A check that fails for several things has further results, which nobody could plan.
      done = Math.min(done + 1, planned);
      if (inWork.get(result.family)?.check === result.checkId) inWork.delete(result.family);
      counts[result.verdict] = (counts[result.verdict] ?? 0) + 1;
      if (result.verdict === 'fail') failed.push(result);
      show(result.family);
    },
    sequences(family: string, done: number, planned: number) {
      const check = inWork.get(family)?.check ?? '';
      const sequences = `${done} of ${counted(planned, 'sequence')}`;
      inWork.set(family, { check, sequences });
      made.set(family, { done, planned });
      show(`${family} ${sequences}`);
    },
    phase(doing: string) {
      progress.update(done, doing, share);
    },
    stop() {
      inWork.clear();
      progress.stop();
    },
  };
}
