import type { Difference } from '../model/difference.ts';
import { flat, type Name, type Step, type Steps } from '../steps/step.ts';
import { runSteps } from './run.ts';
import { type Session, viewIn } from './session.ts';

/** The steps of a sequence on records of other families alone. */
function stepsElsewhere({ context, kept, book }: Session, steps: Steps): Steps {
  const own = context.family.name;
  const labels = new Set([...kept].flatMap(([label, key]) => (book.get(key)?.family === own ? [] : [label])));
  const named = new Map<string, Name>();
  // A name like that of a record of the own family is the name which that record was given.
  const nameAlone = (name: Name): Name => ('of' in name && named.has(name.of) ? (named.get(name.of) as Name) : name);
  const give = (who: string, name: Name | undefined) => name !== undefined && named.set(who, nameAlone(name));
  const alone = (step: Step): Steps => {
    if (step.step === 'create') {
      const { refersTo: _, ...plain } = step;
      if (step.family === undefined || step.family === own) {
        give(step.as, step.name);
        return [];
      }
      labels.add(step.as);
      return [{ ...plain, name: nameAlone(step.name) }];
    }
    if (step.step === 'bulk') for (const [at, who] of step.who.entries()) give(who, step.names?.[at]);
    if (step.step === 'update' && !labels.has(step.who)) give(step.who, step.name);
    if (step.step === 'look') {
      const { look } = step;
      return ('who' in look ? labels.has(look.who) : look.window === 'list' && look.on === 'view') ? [step] : [];
    }
    return (step.step === 'update' || step.step === 'delete') && labels.has(step.who) ? [step] : [];
  };
  return flat(steps).flatMap(alone);
}

/** True for a difference in a family that the session is not about, nor a view of it: other checks write to its records. What the list of a view shows of a family, the view's own checks are about. */
export function isElsewhere(session: Session, { family, about }: Difference): boolean {
  const own = session.context.family;
  const isShown = about.operation === 'list' && own.viewOf?.includes(family) === true;
  return family !== own.name && family !== viewIn(session) && !isShown;
}

/** True if a difference in another family shows without a request to the own one: its own checks tell of it. False for a view. */
export async function isOfAnother(session: Session, steps: Steps, difference: Difference): Promise<boolean> {
  if (!isElsewhere(session, difference)) return false;
  const alone = stepsElsewhere(session, steps);
  if (alone.length === 0) return false;
  const ran = await runSteps({ ...session, isKnown: () => false }, alone);
  return ran.difference?.family === difference.family;
}
