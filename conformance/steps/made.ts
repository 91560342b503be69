import type { Exchange } from '../../lib/client/types.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import { type Family, hasOp } from '../../lib/contract/types.ts';
import { isCutOff, isDone, isRedirect, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { NotDone, nameOf, note, raise, type Session } from '../driver/session.ts';
import { answerText } from '../kit/answer.ts';
import { LostRecord } from '../kit/fault.ts';
import { nameMember } from '../kit/fields.ts';
import { takeUp } from '../kit/record/finder.ts';
import { createdId } from '../kit/record/fixture.ts';
import { type Fields, type Form, keyOf, recordsIn } from '../model/history.ts';
import { generatedRange, isGenerated, isWithin } from '../model/member.ts';
import { sendPlain } from './attempt.ts';

/** Reads a number that the target was asked to generate. Whether it is in its range is for the oracle to tell. */
export async function learnGenerated(session: Session, family: Family, id: string): Promise<void> {
  const known = session.book.get(keyOf(family.name, id));
  const generated = Object.keys(known?.fields ?? {}).filter((each) => isGenerated(family, each, known?.fields[each]));
  if (known === undefined || generated.length === 0 || !hasOp(family, 'read')) return;
  const record = recordOf(await sendPlain(session, 'read', { id }, family.name));
  const sent = Object.fromEntries(generated.map((member) => [member, record?.[member]]));
  const isRight = generated.every((member) => {
    const range = generatedRange(family, member, known.fields[member]);
    // The number from before may be shown for a moment.
    return range && isWithin(sent[member], range) && !known.former[member]?.includes(sent[member]);
  });
  if (isRight) note(session, { kind: 'learn', family: family.name, id, sent, form: known.last.form, end: 'done' });
}

/** A name as the loosest collation may compare it. *Implied*: a create under the name of a record may be taken for an update of it. */
const loosely = (name: unknown): string =>
  String(name ?? '')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\s]/gu, '')
    .toLowerCase();

/** A create that was answered with a record that is there already. Source: "Resources and their fields", every id names one record. */
export function mustBeNew(session: Session, family: Family, id: string, fields: Fields): void {
  const known = session.book.get(keyOf(family.name, id));
  const member = nameOf(session, family.name);
  if (known?.isLive !== true || loosely(known.fields[member]) === loosely(fields[member])) return;
  raise(session, {
    requirement: 'RES-ID',
    about: { kind: 'value', operation: 'create', subject: 'member id' },
    family: family.name,
    expected: `a create of ${fields[member]} to make a record of its own`,
    observed: `the id ${id}, which is that of ${known.fields[member]}`,
  });
}

interface Sent {
  readonly family: Family;
  readonly fields: Fields;
  readonly form: Form;
  readonly as: string;
}

/** Takes a created record into the history, under a label. */
export async function admit(session: Session, exchange: Exchange, { family, fields, form, as }: Sent): Promise<void> {
  const { context, labels } = session;
  const name = String(fields[nameOf(session, family.name)] ?? '');
  let why = `no record named ${name}`;
  const found = await createdId(context, family.name, exchange, name).catch((fault: unknown) => {
    if (!(fault instanceof LostRecord)) throw fault;
    why = fault.message;
    return undefined;
  });
  if (found === undefined) {
    if (!isDone(exchange)) session.count.flying += 1;
    else
      raise(session, {
        requirement: opRequirementId(family.name, 'create'),
        about: { kind: 'no-effect', operation: 'create', subject: 'record' },
        family: family.name,
        expected: `a record named ${name}`,
        observed: `${answerText(exchange)}, and ${why}`,
      });
    throw new NotDone('the record is not found');
  }
  mustBeNew(session, family, found.id, fields);
  note(session, { kind: 'create', family: family.name, id: found.id, sent: fields, form, end: 'done' });
  labels.set(as, keyOf(family.name, found.id));
  session.lessons.taken.add('create').add(`create ${form}`);
  await learnGenerated(session, family, found.id);
}

/** Takes a create into the history, whatever was answered. True if it was taken. */
export async function settleCreate(session: Session, exchange: Exchange, sent: Sent): Promise<boolean> {
  const isTaken = isSuccess(exchange);
  await (isTaken ? admit : mustHaveNoEffect)(session, exchange, sent);
  return isTaken;
}

/** Ids of what a refused create made: of records under its name, which nothing else was to have, that no other write made. */
export async function madeBy({ context, lessons }: Session, { name: family }: Family, name: string) {
  const known = recordsIn(lessons.books).filter((each) => each.family === family);
  const found = await takeUp(context, family, name);
  const member = nameMember(context.table[family] as Family) ?? 'name';
  // A create before it may have been answered with another id than that of its record.
  const isLost = known.some(
    ({ id, isLive, fields }) => isLive === true && fields[member] === name && !found.includes(id),
  );
  return isLost ? [] : found.filter((id) => !known.some((each) => each.id === id));
}

/** A refused create that made its record: the refusal is wrong, and neither the next answer under its name nor a list that shows it. */
export async function mustHaveNoEffect(session: Session, exchange: Exchange, { family, fields, form, as }: Sent) {
  const [left] = await madeBy(session, family, String(fields[nameOf(session, family.name)] ?? ''));
  const isOpen = isRedirect(exchange) || isCutOff(exchange);
  // It may come at any time from now on.
  if (left === undefined && isOpen) session.count.flying += 1;
  if (left === undefined) return;
  note(session, { kind: 'create', family: family.name, id: left, sent: fields, form, end: 'done' });
  session.labels.set(as, keyOf(family.name, left));
  if (isOpen) return;
  raise(session, {
    requirement: opRequirementId(family.name, 'create'),
    about: { kind: 'no-effect', operation: 'create', subject: 'refusal status' },
    family: family.name,
    expected: 'no record of a create that is refused',
    observed: `${answerText(exchange)}, and the record ${left}`,
  });
}
