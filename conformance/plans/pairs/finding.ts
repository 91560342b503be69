import type { Exchange } from '../../../lib/client/types.ts';
import type { Grounds } from '../../../lib/records/histories.ts';
import { takeFresh } from '../../driver/endpoints.ts';
import { doOthersWrite } from '../../driver/others.ts';
import { runSteps } from '../../driver/run.ts';
import { type Session, viewIn } from '../../driver/session.ts';
import { brief } from '../../driver/settle.ts';
import { applyWords } from '../../model/anc.ts';
import type { Difference } from '../../model/difference.ts';
import type { Step } from '../../steps/step.ts';
import { clausesOf } from '../clauses.ts';
import { plainest } from '../plainer.ts';
import { APPLIED } from '../words.ts';
import { FEW, type Found, isFound, populate, renew, type Work } from './work.ts';

/** A difference with the conditions under which alone it shows. */
export interface Finding {
  readonly difference: Difference;
  /** What it rests on, if an observation shows it. */
  readonly grounds: Grounds | undefined;
  /** Clauses; none if it shows under the plainest conditions, or if nobody knows. */
  readonly conditions: readonly string[];
  readonly exchanges: readonly Exchange[];
  /**
   * Why no conditions are known: no try after the first showed it (`once`; `by others` if somebody else wrote meanwhile, or `elsewhere` if it
   * is in a resource that other checks write to, which proves nothing), or some did and some did not.
   */
  readonly unsteady?: 'once' | 'by others' | 'elsewhere' | 'not each time';
}

/** Runs of a sequence that each part of shrinking may take, for how long, and findings that are shrunk. */
const SHRINK_RUNS = 40;
const MOST_MS = 60_000;
const MOST_FINDINGS = 12;
/** Sequences before one that may be what makes it show a difference. */
export const MOST_BEFORE = 3;

/** True for differences of one kind in the same thing, whichever requirements they break there. */
const areAlike = (one: Difference, other: Difference): boolean =>
  one.family === other.family && one.about.kind === other.about.kind && one.about.subject === other.about.subject;

/** True for a difference in a family that the session is not about, nor shows in a view: other checks write to its records. */
const isElsewhere = (session: Session, { family }: Difference): boolean =>
  family !== session.context.family.name && family !== viewIn(session);

/** True for a difference in a record of the family that the sequence did not write to. */
const isOfBystander = ({ touched, book, context }: Session, { holder = '' }: Difference): boolean =>
  !touched.has(holder) && book.get(holder)?.family === context.family.name;

/** What the endpoints that cannot be cleared have in common: nothing more can be tried. */
const afterApplies = ({ history }: Session['anc']): readonly string[] =>
  applyWords(history).flatMap((word) => APPLIED[word] ?? []);

/** The finding of a difference: the sequence that showed it, with everything taken from it that it shows without. */
export async function findingOf(work: Work, first: Found, steps: readonly Step[]): Promise<Finding> {
  const { difference, grounds, exchanges } = first;
  const { session } = work;
  const isBeside = !work.isAnc && isOfBystander(session, difference);
  const shows = async (some: readonly Step[]): Promise<Found | undefined> => {
    if (isBeside) await renew(work);
    if (work.isAnc) await populate(work, FEW);
    const ran = await runSteps(session, some, work.foreign);
    return isFound(ran) && areAlike(ran.difference, difference) ? ran : undefined;
  };
  const unshrunk: Finding = { difference, grounds, conditions: [], exchanges };
  if (session.anc.isStuck) return { ...unshrunk, conditions: afterApplies(session.anc) };
  if (work.findings.length >= MOST_FINDINGS) return unshrunk;
  // What shows itself which update it was, may have been done by a sequence before.
  if (difference.onlyIf !== undefined) return unshrunk;
  if ((await shows(steps)) === undefined) {
    for (const before of work.last) await runSteps(session, before, work.foreign);
    if ((await shows(steps)) !== undefined) return unshrunk;
    return {
      ...unshrunk,
      unsteady: isElsewhere(session, difference) ? 'elsewhere' : (await doOthersWrite(session)) ? 'by others' : 'once',
    };
  }
  const { eventually } = session;
  session.eventually = brief(session);
  // The plainest conditions may break another requirement, which was found before: it is shown again.
  for (const [each, other] of work.found) if (areAlike(other, difference)) work.shownAgain.add(each);
  const until = performance.now() + MOST_MS;
  const plain = await plainest(
    steps,
    async (some) => performance.now() < until && (await shows(some)) !== undefined,
    SHRINK_RUNS,
  );
  // What shrinking was told in a hurry holds if it shows in all the time that a write may take.
  session.eventually = eventually;
  const shown = await shows(plain);
  if (shown === undefined) return { ...unshrunk, unsteady: 'not each time' };
  const conditions = clausesOf(plain, shown.difference, shown.exchanges);
  // An endpoint is named by many sequences: whether it has to have been, one tells that none has named.
  const isOfUsed =
    work.isAnc && difference.about.subject === 'policy' && takeFresh(session) && (await shows(plain)) === undefined;
  session.anc.fresh = undefined;
  return {
    ...{ difference: shown.difference, grounds: shown.grounds, exchanges: shown.exchanges },
    conditions: isOfUsed ? [...conditions, 'the endpoint was cleared before'] : conditions,
  };
}
