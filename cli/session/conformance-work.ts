import type { PlanEntry, Selection } from '../../conformance/engine/plan.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { groupBy } from '../../lib/group-by.ts';
import { type ConformanceResult, resultKey } from '../../lib/records/conformance.ts';
import type { Depth } from '../../lib/records/vocabulary.ts';

/** Requests of a result, and of the sequences of steps of a family, as runs of the embedded deployment have sent them. */
const REQUESTS = {
  read: { result: 4, quick: 70, normal: 600, deep: 5100 },
  written: { result: 8, quick: 400, normal: 7800, deep: 60_000 },
} as const satisfies Readonly<Record<string, Readonly<Record<Depth | 'result', number>>>>;

/** Area of the check: `list` of `list/paging`. */
export const areaOf = ({ check }: PlanEntry): string => check.id.replace(/\/.*/, '');

/** How far a family is: results that are in, and the share of its sequences of steps that is done. */
export interface FamilyDone {
  readonly results: number;
  readonly sequences: number;
}

/** How far a family is at the beginning of a run. */
export const NOTHING_DONE: FamilyDone = { results: 0, sequences: 0 };

/** The work of a conformance run, in requests: a narrow plan of one family may take a quarter more or less. */
export function conformanceWork(run: readonly PlanEntry[], { mode, depth = 'normal', table = FAMILIES }: Selection) {
  const families = [...groupBy(run, ({ family }) => family)].map(([name, own]) => {
    const ops = (table as FamilyTable)[name]?.ops ?? [];
    const isWritten = mode !== 'read-only' && (ops.includes('create') || ops.includes('apply'));
    const of = REQUESTS[isWritten ? 'written' : 'read'];
    return { name, results: own.length, ...of, steps: own.some((one) => areaOf(one) === 'survey') ? of[depth] : 0 };
  });
  const left = (done: ReadonlyMap<string, FamilyDone>): number =>
    families.reduce((sum, { name, results, result, steps }) => {
      const own = done.get(name) ?? NOTHING_DONE;
      const resultsLeft = Math.max(0, results - own.results);
      return sum + result * resultsLeft + (resultsLeft === 0 ? 0 : steps * (1 - own.sequences));
    }, 0);
  const all = left(new Map());
  const keys = new Set(run.map(({ key }) => key));
  return {
    requests: Number(all.toPrecision(2)),
    /** True for a result that the plan tells of and the mode allows; others are no work. */
    has: (result: ConformanceResult): boolean => keys.has(resultKey(result)),
    /** The share that is done, from 0 to 1. */
    share: (done: ReadonlyMap<string, FamilyDone>): number => (all === 0 ? 1 : 1 - left(done) / all),
  };
}

export type ConformanceWork = ReturnType<typeof conformanceWork>;
