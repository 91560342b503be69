import type { Family } from '../../lib/contract/types.ts';
import { briefly } from '../driver/patience.ts';
import { isFound, type Ran } from '../driver/run.ts';
import type { Session } from '../driver/session.ts';
import { memberOf } from '../kit/fault.ts';
import { rangedMembers } from '../kit/fields.ts';
import type { Difference } from '../model/difference.ts';
import type { Known } from '../model/history.ts';
import { isHeld } from '../steps/stated.ts';
import type { Steps } from '../steps/step.ts';
import { boundsOf, pinned } from './bounds.ts';
import { clausesOf } from './clauses.ts';
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

/** Gives creates the numbers that their records had when a difference was shown, if it shows with these: others each time may be what matters. */
export async function fixing(family: Family, given: Steps, made: ReadonlyMap<string, Known>, shows: Shows) {
  const isPinned = rangedMembers(family).length > 0 && (await shows(pinned(family, given, made)));
  return { isPinned, fixed: (some: Steps) => (isPinned ? pinned(family, some, made) : some) };
}

/** What is left of a sequence, with the clauses that tell it and the exchanges that show it; undefined if the difference comes and goes. `numbers`: records with those that creates had which were refused. */
export async function plainlyTold(
  session: Session,
  given: Steps,
  difference: Pick<Difference, 'about'>,
  attempt: (steps: Steps) => Promise<Ran & { readonly isShown: boolean }>,
  numbers?: ReadonlyMap<string, Known>,
) {
  const { family } = session.context;
  const shows = async (some: Steps) => (await attempt(some)).isShown;
  const { kind, operation, subject } = difference.about;
  const member = memberOf(difference.about);
  // What is particular about the value that is wrong is told too.
  const named = member === undefined ? difference : { about: { ...difference.about, subject: 'record' as const } };
  const wordsOf = (some: Steps) => clausesOf(some, named, []);
  const key = `${kind} ${operation} ${member ?? subject}`;
  const all = session.lessons.told.get(key) ?? [];
  session.lessons.told.set(key, all);
  return briefly(session, async () => {
    // What was told of another sequence is so of this one, if all of it is. What was renamed was updated.
    const words = wordsOf(given).flatMap((word) => [word, word.replace('was renamed', 'was updated')]);
    for (const each of all.filter((other) => other.clauses.every((word) => words.includes(word)))) {
      const { isShown, exchanges } = await attempt(each.plain);
      if (isShown) return { ...each, exchanges };
    }
    // What a look before the last one shows ends a sequence: most are there to show something else.
    const bare = given.filter(({ step }, at) => step !== 'look' || at === given.length - 1);
    const isBare = bare.length < given.length && (await shows(bare));
    const steps = isBare ? bare : given;
    const first = await attempt(steps);
    if (!first.isShown) return undefined;
    const { fixed } = await fixing(family, steps, numbers ?? first.made, shows);
    const { plain } = await narrowed(steps, (some) => shows(fixed(some)), wordsOf, {
      runs: FEW_RUNS,
      keyOf: (some) => JSON.stringify(fixed(some)),
    });
    const sure = plain && fixed(plain);
    const shown = sure && (await attempt(sure));
    if (sure === undefined || !shown?.isShown) return undefined;
    const bounds = await boundsOf(family, sure, shown.made, shows, (...number) => isHeld(session, family, ...number));
    const { exchanges } = shown;
    // What a list lacks or shows, no write is to blame for: the record that it is about is the one of the clauses.
    const record = operation === 'list' && isFound(shown) ? shown.difference.about.record : undefined;
    const [subjectOf] = [...shown.made].find(([, each]) => each.id === record) ?? [];
    const told = { plain: sure, clauses: clausesOf(sure, named, exchanges, bounds, subjectOf) };
    all.push(told);
    return { ...told, exchanges };
  });
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
