import { keyOf } from '../model/history.ts';
import { labelsIn, type Step } from '../steps/step.ts';
import { lookBeforeWrite } from './look.ts';
import { findRecord, type Session } from './session.ts';

/** Labels of the records that a step writes to. */
function writtenBy(step: Step): readonly string[] {
  const isWrite = step.step !== 'wrong' || /^(update|delete) (?!gone)/.test(step.request);
  const isCreate = step.step === 'create' || (step.step === 'bulk' && step.action === 'create');
  return isWrite && !isCreate ? labelsIn(step) : [];
}

/** Steps without those that would write to a record that one before them writes to: nobody could say what it holds then. */
export function apart(session: Session, steps: readonly Step[]): readonly Step[] {
  const written = new Set<string>();
  return steps.filter((step) => {
    const keys = writtenBy(step).map((who) => {
      const known = findRecord(session, who);
      return known === undefined ? who : keyOf(known.family, known.id);
    });
    const isFirst = keys.every((key) => !written.has(key));
    for (const key of keys) written.add(key);
    return isFirst;
  });
}

/** Looks at each record that a step is about to write to. */
export async function lookFirst(session: Session, step: Step): Promise<void> {
  for (const who of writtenBy(step)) await lookBeforeWrite(session, who);
}
