import type { Exchange } from '../../lib/client/types.ts';
import { type Family, fieldsOf, hasOp } from '../../lib/contract/types.ts';
import { isCutOff, isNotFound, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { isAtOnce } from '../driver/patience.ts';
import { NotDone, nameOf, note, recordToWrite, type Session } from '../driver/session.ts';
import { refusalText } from '../kit/answer.ts';
import { nameMember, referenceOf, textMember } from '../kit/fields.ts';
import { isServerFault } from '../kit/record/record-reads.ts';
import { readsXml } from '../kit/record/xml-form.ts';
import { type Fields, firstHeld, type Known, recordsIn } from '../model/history.ts';
import { attempt, raiseRefusal, refusedOnce, refusedPlain, sendPlain } from './attempt.ts';
import { inForm, OTHER_XML } from './create.ts';
import { learnGenerated } from './made.ts';
import { bodyOf, freshName, leastBodyOf, marked, nameText, pointing } from './names.ts';
import { mustTakeStated } from './stated.ts';
import type { StepOf } from './step.ts';

/** True if another record of the run points at the record, or at what it points at: what a target allows then is not shown. */
function isTied(session: Session, { id, family, fields }: Known): boolean {
  const { table } = session.context;
  return recordsIn(session.lessons.books).some((other) => {
    const isSame = (member: string, value: unknown) => other.family === family && value === fields[member];
    const pointers = Object.entries(other.fields).filter(([member]) => referenceOf(table, table[other.family], member));
    return other.id !== id && pointers.some(([member, value]) => value === id || isSame(member, value));
  });
}

/** A refused update: for good, or only now? Values that a record holds are no reason, unless it is refused because it changes nothing. */
async function refused(session: Session, known: Known, exchange: Exchange, sent: Fields, isRenamed: boolean) {
  const { id, family } = known;
  const put = (fields: Fields) => sendPlain(session, 'update', { id, fields: { ...fields, id } }, family);
  const body = bodyOf(session, known);
  const same = await put(body);
  const member = textMember(session.context.table[family] as Family);
  const other = { ...body, ...(member === undefined ? {} : { [member]: freshName(session) }) };
  const isStrict = !isSuccess(same) && isSuccess(await put(other));
  if (!isSuccess(same) && !isStrict) {
    // Which members an update has to carry is not shown: what the record shows beside ours may be among them.
    const { link: _, ...shown } = recordOf(await session.context.send('read', { id }, family)) ?? {};
    if (isSuccess(await put({ ...shown, ...body }))) return false;
    refusedPlain(session, 'update', same, { on: family, isTied: isTied(session, known) });
    return false;
  }
  // To refuse what changes nothing is a target's right; to fail at it is not.
  if (isStrict && isServerFault(same)) {
    const isOfValue = isSuccess(await put(other));
    const more = isOfValue ? { subject: `member ${member}` as const } : { onlyIf: 'the update changes nothing' };
    raiseRefusal(session, 'update', same, family, 'the update to be taken', more);
  }
  const held = isStrict ? other : known.fields;
  note(session, { kind: 'update', family, id, sent: held, form: 'json', end: 'done' });
  const second = await put(sent);
  if (!isSuccess(second)) {
    const asked = Object.fromEntries(Object.entries(sent).filter(([each, value]) => value !== held[each]));
    const home = session.context.table[family] as Family;
    await mustTakeStated(session, home, 'update', asked, async (set) => {
      const answer = await put({ ...held, ...set });
      if (isSuccess(answer))
        note(session, { kind: 'update', family, id, sent: { ...held, ...set }, form: 'json', end: 'done' });
      return answer;
    });
    return false;
  }
  note(session, { kind: 'update', family, id, sent, form: 'json', end: 'done' });
  if (!isRenamed && !isStrict) refusedOnce(session, 'update', exchange, family);
  return true;
}

/** What the texts of a record beside its name were before each other value that it had since; without those that it did not have. */
const firstTexts = (family: Family, known: Known): Fields =>
  Object.fromEntries(
    Object.keys(known.former).flatMap((member) => {
      const first = firstHeld(known, member);
      const isText = typeof first === 'string' && first !== '' && member !== nameMember(family);
      return isText && fieldsOf(family)[member]?.type === 'string' ? [[member, first]] : [];
    }),
  );

/** Changes a record. Throws `NotDone` if the target does not take it. */
export async function update(session: Session, step: StepOf<'update'>): Promise<void> {
  const { context, lessons } = session;
  const known = recordToWrite(session, step.who);
  const family = context.table[known.family] as Family;
  if (!hasOp(family, 'update') || known.isLive !== true) throw new NotDone('no update');
  if (step.form === 'xml' && !(await readsXml(context))) throw new NotDone(OTHER_XML);
  const name = step.name === undefined ? undefined : nameText(session, step.name, family.name);
  if (step.name !== undefined && name === undefined) throw new NotDone('no such name is taken');
  const changes = {
    ...(step.back ? firstTexts(family, known) : {}),
    ...context.run.values.adaptAll(step.set, family.name),
    ...pointing(session, step.refersTo, family),
  };
  const renamed = name === undefined ? {} : { [nameOf(session, family.name)]: name };
  const start = (step.isAlone ? leastBodyOf : bodyOf)(session, known);
  const whole = marked(session, { ...start, ...changes, ...renamed }, family);
  const body = inForm(session, step.form, whole, family.name);
  const { fields: sent } = body;
  const input = { ...body, id: known.id, fields: { ...sent, id: known.id } };
  const { exchange } = await attempt(session, 'update', input, step.carried, { on: family.name });
  if (!isSuccess(exchange)) {
    const isDone = step.form === 'json' && (await refused(session, known, exchange, sent, step.name !== undefined));
    if (isDone) return;
    if (isCutOff(exchange))
      note(session, { kind: 'update', family: family.name, id: known.id, sent, form: step.form, end: 'unknown' });
    throw new NotDone(refusalText(exchange));
  }
  note(session, { kind: 'update', family: family.name, id: known.id, sent, form: step.form, end: 'done' });
  lessons.taken.add('update').add(`update ${step.form}`);
  // A target that shows writes late may still show the number from before.
  if (isAtOnce(session)) await learnGenerated(session, family, known.id);
}

export async function remove(session: Session, { who, carried }: StepOf<'delete'>): Promise<void> {
  const known = recordToWrite(session, who);
  const family = session.context.table[known.family] as Family;
  if (!hasOp(family, 'delete') || known.isLive !== true) throw new NotDone('no delete');
  const { id } = known;
  const first = await attempt(session, 'delete', { id }, carried, { on: family.name });
  const isOpen = isCutOff(first.exchange);
  const exchange = isOpen ? await sendPlain(session, 'delete', { id }, family.name) : first.exchange;
  if (!isSuccess(exchange) && !(isOpen && isNotFound(exchange))) {
    refusedPlain(session, 'delete', exchange, { on: family.name, isTied: isTied(session, known) });
    throw new NotDone(refusalText(exchange));
  }
  session.lessons.taken.add('delete');
  note(session, { kind: 'delete', family: family.name, id: known.id, sent: {}, form: 'json', end: 'done' });
}
