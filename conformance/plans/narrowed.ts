import type { Ran } from '../driver/run.ts';
import type { Difference } from '../model/difference.ts';
import type { Step } from '../steps/step.ts';
import { clausesOf } from './clauses.ts';
import { plainest } from './plainer.ts';
import { proven } from './proof.ts';

/** For how long a sequence is shrunk, and what is left is tried on both sides. */
const MOST_MS = 90_000;

/**
 * What is left of a sequence from which everything was taken that its difference shows without, tried on both sides; undefined if that comes and
 * goes. `isLate`: there was no time to find out. `keyOf`: sequences with the same key are one. `runs`: those of each part of shrinking, at most.
 */
export async function narrowed(
  given: readonly Step[],
  shows: (steps: readonly Step[]) => Promise<boolean>,
  wordsOf: (steps: readonly Step[]) => readonly string[],
  { runs, keyOf = JSON.stringify }: { readonly runs: number; readonly keyOf?: (steps: readonly Step[]) => string },
): Promise<{ readonly plain: readonly Step[] | undefined; readonly isLate: boolean }> {
  const until = performance.now() + MOST_MS;
  let isLate = false;
  const tried = new Set<string>();
  const isShown = async (some: readonly Step[]) => {
    isLate = performance.now() >= until;
    if (isLate) return false;
    tried.add(keyOf(some));
    return shows(some);
  };
  const shrunk = await plainest(given, isShown, runs);
  const plain = await proven(shrunk, isShown, wordsOf, (some) => tried.has(keyOf(some)), keyOf);
  return { plain, isLate };
}

/** Runs of a plain plan that each part of shrinking may take. */
const FEW_RUNS = 12;

/** What is left of a sequence, with the clauses that tell it; undefined if the difference comes and goes. */
export async function plainlyTold(
  steps: readonly Step[],
  difference: Difference,
  run: (steps: readonly Step[]) => Promise<Ran>,
  isAlike: (ran: Ran) => boolean,
): Promise<{ readonly plain: readonly Step[]; readonly clauses: readonly string[] } | undefined> {
  const shows = async (some: readonly Step[]) => isAlike(await run(some));
  const { plain } = await narrowed(steps, shows, (some) => clausesOf(some, difference, []), { runs: FEW_RUNS });
  const shown = plain && (await run(plain));
  return shown && isAlike(shown) ? { plain, clauses: clausesOf(plain, difference, shown.exchanges) } : undefined;
}
