import { opRequirementId } from '../../lib/contract/requirements.ts';
import { idOf, isObject, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { NotDone, offers, raise, type Session } from '../driver/session.ts';
import { answerText, isExcused } from '../kit/answer.ts';
import { keyOf } from '../model/history.ts';
import { attempt, sendPlain } from './attempt.ts';
import type { StepOf } from './step.ts';

/** Asks for the version information: it is served, and is no record. Source: "Special paths", versioninfo. */
export async function version(session: Session, { carried }: StepOf<'version'>): Promise<void> {
  if (!offers(session, 'version')) throw new NotDone('no version');
  const family = session.context.family.name;
  const { exchange } = await attempt(session, 'version', {}, carried);
  const answer = isSuccess(exchange) ? exchange : await sendPlain(session, 'version', {});
  if (isExcused(answer)) throw new NotDone(answerText(answer));
  const told = isSuccess(answer) && isObject(answer.json) ? idOf(recordOf(answer)) : undefined;
  // Version information may have an id of its own: its body is not shown.
  const id = told !== undefined && session.book.has(keyOf(family, told)) ? told : undefined;
  if (isSuccess(answer) && id === undefined) return;
  raise(session, {
    requirement: id === undefined ? opRequirementId(family, 'version') : 'SPC-VER',
    about: { kind: id === undefined ? 'refused' : 'value', operation: 'version', subject: 'version' },
    family,
    expected: id === undefined ? 'version information' : 'version information, and no record',
    observed: id === undefined ? answerText(answer) : `the record ${id}`,
  });
}
