import type { Difference } from '../model/difference.ts';
import type { Steps } from '../steps/step.ts';
import { clausesOf } from './clauses.ts';
import type { Try } from './controls.ts';
import { plainerOnes, plainest, type Shows } from './plainer.ts';

type WordsOf = (steps: Steps) => readonly string[];

/** For how long a sequence is shrunk, and what is left is tried on both sides. */
const MOST_MS = 90_000;

/** What is left of a shrunk sequence, tried on both sides; undefined if it comes and goes. `isLate`: there was no time. `keyOf`: sequences with one key are one. `runs`: of each part of shrinking, at most. */
export async function narrowed(
  given: Steps,
  shows: Shows,
  wordsOf: WordsOf,
  { runs, keyOf = JSON.stringify }: { readonly runs: number; readonly keyOf?: (steps: Steps) => string },
) {
  const until = performance.now() + MOST_MS;
  let isLate = false;
  const tried = new Set<string>();
  const isShown = async (some: Steps) => {
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
export async function plainlyTold(steps: Steps, difference: Difference, attempt: Try) {
  const shows = async (some: Steps) => (await attempt(some)).isShown;
  const { plain } = await narrowed(steps, shows, (some) => clausesOf(some, difference, []), { runs: FEW_RUNS });
  if (plain === undefined) return undefined;
  const { isShown, exchanges } = await attempt(plain);
  return isShown ? { plain, clauses: clausesOf(plain, difference, exchanges) } : undefined;
}

/** Clauses of a sequence that are tried without, at most, and times that what shows without one takes its place. */
const MOST_CLAUSES = 4;

/** Sequences with a weaker clause that are tried too, if shrinking ended before they were. */
const MOST_UNTRIED = 3;

/** For each clause of a sequence, the sequence without it that changes the fewest others; and what has another in its place, unless that was tried. */
function lesserOnes(steps: Steps, wordsOf: WordsOf, isTried: (steps: Steps) => boolean) {
  const words = wordsOf(steps);
  const ones = plainerOnes(steps).map((one) => ({ one, told: wordsOf(one) }));
  const changes = (told: readonly string[]) =>
    told.filter((each) => !words.includes(each)).length + words.filter((each) => !told.includes(each)).length;
  const chosen = words.slice(0, MOST_CLAUSES).flatMap((word) => {
    const [least] = ones
      .filter(({ told }) => !told.includes(word))
      .sort((one, other) => changes(one.told) - changes(other.told));
    return least === undefined ? [] : [least.one];
  });
  const isWeaker = (told: readonly string[]) => told.length <= words.length && changes(told) > 0;
  const untried = ones.flatMap(({ one, told }) => (isWeaker(told) && !isTried(one) ? [one] : []));
  return [...new Set([...chosen, ...untried.filter((one) => !chosen.includes(one)).slice(0, MOST_UNTRIED)])];
}

/** The sequence, if it shows a difference each time and without any of its clauses never, by turns; a lesser one in its place if that was not tried before. Undefined if the difference comes and goes. */
export async function proven(
  steps: Steps,
  shows: Shows,
  wordsOf: WordsOf,
  isTried: (steps: Steps) => boolean,
  keyOf: (steps: Steps) => string = JSON.stringify,
  turns = MOST_CLAUSES,
): Promise<Steps | undefined> {
  // What comes to the same is no lesser one.
  const lesser = lesserOnes(steps, wordsOf, isTried).filter((one) => keyOf(one) !== keyOf(steps));
  const again = lesser.length === 1 ? [...lesser, ...lesser] : lesser.slice(0, MOST_CLAUSES);
  // The first time each between two of the whole, then all at a stretch: what shows each third time is not in step with both.
  for (const [at, one] of [...lesser, ...again].entries()) {
    const isNew = !isTried(one);
    if (await shows(one))
      return isNew && turns > 0 ? proven(one, shows, wordsOf, isTried, keyOf, turns - 1) : undefined;
    const isLast = at === lesser.length + again.length - 1;
    if ((at < lesser.length || isLast) && !(await shows(steps))) return undefined;
  }
  return steps;
}
