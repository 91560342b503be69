import type { Exchange } from '../../../lib/client/types.ts';
import { opRequirementId } from '../../../lib/contract/requirements.ts';
import type { Grounds } from '../../../lib/records/histories.ts';
import { isElsewhere } from '../../driver/elsewhere.ts';
import { passOver } from '../../driver/learn-others.ts';
import { doOthersWrite } from '../../driver/others.ts';
import { briefly } from '../../driver/patience.ts';
import { type Found, type Ran, runSteps } from '../../driver/run.ts';
import type { Session } from '../../driver/session.ts';
import { memberOf } from '../../kit/fault.ts';
import { nameMember } from '../../kit/fields.ts';
import { applyWords } from '../../model/anc.ts';
import type { Difference } from '../../model/difference.ts';
import { type Known, keyOf } from '../../model/history.ts';
import { isHeld } from '../../steps/stated.ts';
import { PLAIN, type Step, type Steps } from '../../steps/step.ts';
import { boundsOf } from '../bounds.ts';
import { clausesOf, RENAMED } from '../clauses.ts';
import { needsUsed, ofFields, ofPages, type Try, trying, withoutSize } from '../controls.ts';
import { look, read, remove } from '../make.ts';
import { fixing, narrowed } from '../narrowed.ts';
import { isSame } from '../plainer.ts';
import { APPLIED } from '../words.ts';
import { befriend, populate, renew, type Work } from './work.ts';

/** A difference with the conditions under which alone it shows. */
export interface Finding {
  readonly difference: Difference;
  readonly grounds: Grounds | undefined;
  /** Clauses; none if it shows under the plainest conditions, or if nobody knows. */
  readonly conditions: readonly string[];
  readonly exchanges: readonly Exchange[];
  /** True if it did not show by itself again: a later row may show it so. */
  readonly isOpen?: true;
  /** Why no conditions are known: no further try showed it (`once`; `by others` who wrote meanwhile, or `elsewhere`, where other checks write, proves nothing), or only some did. */
  readonly unsteady?: 'once' | 'by others' | 'elsewhere' | 'not each time';
}

/** Runs of a sequence that each part of shrinking may take, and findings that are shrunk. */
const SHRINK_RUNS = 40;
const MOST_FINDINGS = 12;
/** Sequences before one that may be what makes it show a difference. */
export const MOST_BEFORE = 3;

/** True for a record that is gone and was not deleted, or a policy that is another one, whatever did it. */
const isTakenAway = ({ about: { kind, operation, subject } }: Difference): boolean =>
  subject === 'policy' ||
  (kind === 'no-effect' && (subject === 'other records' || (subject === 'record' && /^(read|apply)$/.test(operation))));

/** True for differences of one kind in the same thing, whatever requirements they break: an absent value is a wrong one. */
const areAlike = (one: Difference, other: Difference): boolean => {
  if (isTakenAway(one) && isTakenAway(other)) return true;
  const [kind, same] = [one, other].map(({ about }) => about.kind.replace('missing', 'value'));
  return one.family === other.family && kind === same && one.about.subject === other.about.subject;
};

/** True for a difference in a record of the family that the sequence did not write to. */
const isOfBystander = ({ touched, book, context }: Session, { holder = '' }: Difference): boolean =>
  !touched.has(holder) && book.get(holder)?.family === context.family.name;

/** True for a difference in a related record that is there for all sequences. */
export const isOfKept = ({ kept }: Session, { about: { record } }: Difference): boolean =>
  record !== undefined && [...kept.values()].some((key) => key.endsWith(`/${record}`));

const MOST_AGAIN = 3;

/** True if a sequence shows its difference whenever all of it is done: what is plainer and shows it at times then only has other values. */
async function showsEachTime(attempt: Try, steps: Steps): Promise<boolean> {
  for (let times = 0; times < MOST_AGAIN; times += 1) {
    const { isShown, notDone } = await attempt(steps);
    if (!isShown && notDone.size === 0) return false;
  }
  return true;
}

const unnarrowed = ({ difference, grounds, exchanges }: Found): Finding => ({
  difference,
  grounds,
  conditions: [],
  exchanges,
});

/** The finding of a difference: the shortest sequence that shows it, beside so many other records or endpoints. */
export async function findingOf(work: Work, first: Found, all: Steps, beside: number): Promise<Finding> {
  const { difference } = first;
  const { session } = work;
  const { family } = session.context;
  const isKept = isOfKept(session, difference);
  const isBeside = !work.isAnc && isOfBystander(session, difference);
  const run = async (some: Steps): Promise<Ran> => {
    if (isBeside) await renew(work, beside);
    if (isKept) await befriend(work);
    // What is there beside the records of the run, no write of the next try made.
    if (difference.about.subject === 'other records') await passOver(session);
    if (work.isAnc) await populate(work, beside);
    return runSteps(session, some);
  };
  const attempt = trying(run, (other) => areAlike(other, difference));
  const shows = async (some: Steps) => (await attempt(some)).isShown;
  // The plainest conditions may break another requirement, which was found before: it is shown again.
  const showAgain = () => {
    for (const [each, other] of work.found) if (areAlike(other, difference)) work.shownAgain.add(each);
  };
  // Which write to endpoints did it, a look after each tells.
  const seenEach = (step: Step) => (step.step === 'look' ? [] : [step, look({ window: 'endpoints' })]);
  const seenApart = async (some: Steps) => {
    if (!work.isAnc || !isTakenAway(difference)) return undefined;
    showAgain();
    const ran = await attempt(some.flatMap(seenEach));
    return ran.isShown ? ran : undefined;
  };
  // What the endpoints that cannot be cleared have in common: nothing more can be tried.
  if (session.anc.isStuck)
    return { ...unnarrowed(first), conditions: applyWords(session.anc.history).flatMap((word) => APPLIED[word] ?? []) };
  if (work.findings.length >= MOST_FINDINGS) return unnarrowed(first);
  // What shows itself which update it was, may have been done by a sequence before.
  if (difference.onlyIf !== undefined) return unnarrowed(first);
  const unshrunk = unnarrowed((await seenApart(all)) ?? first);
  // A write that looks at endpoints because it is refused shows what those before it did, but not each time: a look does.
  const seen: Steps = [...all.slice(0, -1), look({ window: 'endpoints' })];
  const given = work.isAnc && all.at(-1)?.step !== 'look' && (await shows(seen)) ? seen : all;
  // Numbers that nobody asked for are others each time: what they are may be what matters.
  const { isPinned, fixed } = await fixing(family, given, first.made, shows);
  const steps = fixed(given);
  if (!isPinned && !(await shows(steps))) {
    for (const before of work.last) await runSteps(session, before);
    const open = { ...unshrunk, isOpen: true } as const;
    if (await shows(steps)) return open;
    if (isElsewhere(session, difference)) return { ...open, unsteady: 'elsewhere' };
    return { ...open, unsteady: (await doOthersWrite(session)) ? 'by others' : 'once' };
  }
  showAgain();
  const wordsOf = (some: Steps) => clausesOf(some, difference, []);
  const textOf = (some: Steps) => JSON.stringify(fixed(some));
  const { plain, isLate } = await briefly(session, () =>
    narrowed(given, (some) => shows(fixed(some)), wordsOf, { runs: SHRINK_RUNS, keyOf: textOf }),
  );
  const sure = plain && fixed(plain);
  // Whether it comes and goes is not known if there was no time to find out.
  if (isLate) return unshrunk;
  // What shrinking was told in a hurry holds if it shows in all the time that a write may take.
  const shown = sure && ((await seenApart(sure)) ?? (await attempt(sure)));
  if (sure === undefined || !shown?.isShown)
    return (await showsEachTime(attempt, steps)) ? unshrunk : { ...unshrunk, unsteady: 'not each time' };
  const [bounds, ofWhole, ofField] = await briefly(session, async () => {
    const sizes = await boundsOf(family, sure, shown.made, shows, (...number) => isHeld(session, family, ...number));
    // What one filter shows by itself, no other has to stand beside.
    const isJoined = !shown.difference.about.subject.startsWith('filter ');
    const ofField = isJoined ? await ofFields(sure, session, attempt) : undefined;
    return [sizes, await ofPages(sure, shown, attempt), ofField] as const;
  });
  // What shows when a sequence is over may come of the deletes that end it.
  const { record, holder = record, about: told } = shown.difference;
  const isAbout = ({ family: home, id }: Known) => keyOf(home, id) === holder || id === told.record;
  const [subject] = [...shown.made].find(([, known]) => isAbout(known)) ?? [];
  const isDeleted = told.operation === 'delete' && told.subject === 'record';
  const left = shown.left.filter((who) => isDeleted || who !== subject);
  const isAtEnd = shown.left.length > 1;
  // What a read shows before them, they did not do.
  const looked = isAtEnd && subject !== undefined ? [...sure, read(subject)] : sure;
  const isRead = looked !== sure && (await attempt(looked)).isShown;
  const done = isRead ? looked : isAtEnd ? [...sure, ...left.map((who) => remove(who))] : sure;
  const main = done === sure ? undefined : subject;
  const paged = ofWhole === undefined ? done : withoutSize(done);
  // That the name is given is said by its being wrong.
  const isOfName = memberOf(shown.difference.about) === nameMember(family);
  const clauses = clausesOf(paged, shown.difference, shown.exchanges, bounds, main).filter(
    (each) => !(isOfName && each === RENAMED),
  );
  const conditions = [clauses, ofField ?? [], ofWhole ?? []].flat();
  const isOfUsed =
    work.isAnc && shown.difference.about.operation === 'apply' && (await needsUsed(session, sure, attempt));
  const found = unnarrowed({ ...shown, difference: ofCarried(ofRead(shown.difference, sure), sure) });
  return { ...found, conditions: isOfUsed ? [...conditions, 'the endpoint was cleared before'] : conditions };
}

/** The difference as the fault of the read that shows it by its form alone: no write is to blame for what a plain read shows right. */
export function ofRead(difference: Difference, steps: Steps): Difference {
  const { unlessWritten: told = difference } = difference;
  const last = steps.at(-1);
  const look =
    last?.step === 'look' && (last.look.window === 'read' || last.look.window === 'view') ? last.look : undefined;
  const isPlain = look === undefined || (look.form === 'json' && isSame(look.carried, PLAIN));
  const isLaid = ['apply', 'clear'].includes(difference.about.operation) || difference.unlessWritten !== undefined;
  if (isPlain || !isLaid) return difference;
  const about = { ...told.about, operation: 'read' } as const;
  return { ...told, about, requirement: opRequirementId(told.family, 'read') };
}

/** The difference as the fault of what a look carries, if it shows with that alone. Source: "Conventions", request headers and query parameters. */
export function ofCarried(difference: Difference, steps: Steps): Difference {
  const last = steps.at(-1);
  if (last?.step !== 'look' || !('carried' in last.look) || difference.about.kind === 'refused') return difference;
  const { mediaType, csrf, extra } = last.look.carried;
  if (mediaType || csrf) return { ...difference, requirement: 'CNV-HDR' };
  return extra ? { ...difference, requirement: 'CNV-EXTRA' } : difference;
}
