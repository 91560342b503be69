import type { Exchange } from '../../lib/client/types.ts';
import { OPS, PATH_PREFIX } from '../../lib/contract/operations.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import { type Family, fieldsOf, hasOp, type Op } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { isCutOff, isRedirect, isSuccess, recordOf as recordIn } from '../../lib/wire/answer.ts';
import { live, NotDone, nameOf, note, offers, raise, recordToWrite, type Session, viewIn } from '../driver/session.ts';
import { answerText } from '../kit/answer.ts';
import { rangeOf, textMember } from '../kit/fields.ts';
import type { Fields, Known } from '../model/history.ts';
import { admit, madeBy, mustHaveNoEffect } from './made.ts';
import { bodyOf, freshName } from './names.ts';
import type { StepOf } from './step.ts';

interface Forbidden {
  readonly fields: Fields;
  readonly root?: string;
  readonly requirement?: string;
}

/** A body that is wrong in one thing; undefined if the family cannot have it. */
function forbidden({ context, history }: Session, how: string): Forbidden | undefined {
  const { family, table } = context;
  if (how === 'broken') return { fields: {} };
  if (how === 'other root') {
    const root = Object.values(table)
      .flatMap(({ roots }) => roots.resource ?? [])
      .find((each) => each !== family.roots.resource);
    return root === undefined ? undefined : { fields: {}, root, requirement: 'RES-ROOT' };
  }
  for (const [member, field] of Object.entries(fieldsOf(family))) {
    const range = rangeOf(field);
    const beyond = range && (history.length % 2 === 0 ? range.high + 1 : range.low - 1);
    if (how === 'out of bounds' && range !== undefined) return { fields: { [member]: beyond }, requirement: 'LIM-SGT' };
    if (how === 'wrong member' && typeof field.type === 'object' && 'oneOf' in field.type)
      return { fields: { [member]: 'UNLISTED' }, requirement: 'RES-PTYPE' };
    if (how === 'wrong member' && field.type === 'boolean') return { fields: { [member]: 'perhaps' } };
  }
  return how === 'wrong member' ? { fields: { name: { no: 'text' } } } : undefined;
}

/** A value that no record may hold is stored. */
async function mustNotHold(
  session: Session,
  operation: 'create' | 'update',
  id: string,
  { fields, requirement }: Forbidden,
): Promise<void> {
  const { context } = session;
  const member = Object.keys(fields)[0];
  if (requirement === undefined || member === undefined) return;
  const record = recordIn(await context.send('read', { id }));
  if (record?.[member] !== fields[member]) return;
  raise(session, {
    requirement,
    about: { kind: 'accepted', operation, subject: `member ${member}` },
    family: context.family.name,
    expected: `no record with ${member} ${fields[member]}`,
    observed: `the record ${id} holds it`,
  });
}

function sendBody(
  { context }: Session,
  op: 'create' | 'update',
  how: string,
  { id, ...input }: { readonly id?: string; readonly fields: Fields; readonly root?: string },
): Promise<Exchange> {
  const { family, send, raw } = context;
  if (how !== 'broken') return send(op, { ...defined({ id }), ...input });
  const body = JSON.stringify({ [family.roots.resource ?? '']: input.fields }).slice(0, -2);
  return raw({ ...rawOf(family, op, id), fields: input.fields, body });
}

async function createWrong(session: Session, how: string): Promise<void> {
  const { context } = session;
  const { family } = context;
  if (!context.run.mayCreate()) throw new NotDone('no create');
  const member = nameOf(session);
  const [taken] = live(session);
  const name = how === 'taken' ? String(taken?.fields[member] ?? '') : freshName(session);
  if (how === 'taken' && name === '') throw new NotDone('no name to take');
  const wrong = how === 'taken' ? { fields: {} } : forbidden(session, how);
  if (wrong === undefined) throw new NotDone('no such body');
  const fields = context.payload({ [member]: name, ...wrong.fields });
  const exchange = await sendBody(session, 'create', how, { fields, ...defined({ root: wrong.root }) });
  const sent = { family, fields: { [member]: name }, form: 'json', as: `wrong ${session.history.length}` } as const;
  if (isSuccess(exchange)) {
    await admit(session, exchange, sent);
    const made = session.history.at(-1);
    if (wrong.root !== undefined)
      raise(session, {
        requirement: 'RES-ROOT',
        about: { kind: 'accepted', operation: 'create', subject: 'body root key' },
        family: family.name,
        expected: 'no record of a body under the root key of another family',
        observed: `the record ${made?.id}`,
      });
    if (made !== undefined) await mustNotHold(session, 'create', made.id, wrong);
    return;
  }
  if (how !== 'taken') await mustHaveNoEffect(session, exchange, sent);
  // Of no record, and before all writes: what it says, no record shows.
  session.history.unshift({ kind: 'create', family: family.name, id: '', sent: fields, form: 'json', end: 'refused' });
}

const JSON_HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };

function rawOf({ name: family }: Family, op: Op, id?: string) {
  const path = `${PATH_PREFIX}/${family}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
  return { family, op, path, method: OPS[op].method, headers: JSON_HEADERS, ...defined({ id }) };
}

async function updateWrong(session: Session, known: Known, how: string): Promise<void> {
  const { context } = session;
  const { family } = context;
  if (!hasOp(family, 'update') || known.isLive !== true) throw new NotDone('no update');
  const { id } = known;
  const member = nameOf(session);
  const taken = live(session).find((each) => each.id !== id)?.fields[member];
  if (how === 'taken' && taken === undefined) throw new NotDone('no name to take');
  const wrong = how === 'taken' ? { fields: { [member]: taken } } : forbidden(session, how);
  if (wrong === undefined) throw new NotDone('no such body');
  const name = freshName(session);
  const text = textMember(family) ?? member;
  // What is not wrong changes too: a refusal keeps that as it was.
  const fields: Fields = { ...bodyOf(session, known), [text]: name, [member]: name, ...wrong.fields, id };
  const exchange = await sendBody(session, 'update', how, { id, fields, ...defined({ root: wrong.root }) });
  const write = { kind: 'update', family: family.name, id, sent: fields, form: 'json' } as const;
  if (isCutOff(exchange) || isRedirect(exchange)) return note(session, { ...write, end: 'unknown' });
  if (!isSuccess(exchange)) {
    const record = recordIn(await context.send('read', { id }));
    const changed = [text, member].find((each) => record?.[each] === name);
    if (changed === undefined) return;
    note(session, { ...write, end: 'unknown' });
    return raise(session, {
      requirement: opRequirementId(family.name, 'update'),
      about: { kind: 'no-effect', operation: 'update', subject: 'refusal status' },
      family: family.name,
      expected: 'no change by an update that is refused',
      observed: `${answerText(exchange)}, and the record holds its ${changed}`,
    });
  }
  // What an update stored that should not have been taken is not known; a name may be given twice.
  note(session, { ...write, end: how === 'taken' ? 'done' : 'unknown' });
  if (how !== 'taken') await mustNotHold(session, 'update', id, wrong);
}

async function onGone(session: Session, op: 'read' | 'update' | 'delete'): Promise<void> {
  if (!offers(session, op)) throw new NotDone(`no ${op}`);
  const { send, family } = session.context;
  const isGone = (known: Known) => known.family === family.name && known.isLive === false;
  const known = [...session.book.values()].findLast(isGone);
  if (known === undefined) throw new NotDone('no record is gone');
  const { id, fields } = known;
  if (op !== 'update') return void (await send(op, { id }));
  const name = freshName(session);
  const sent = { ...fields, [nameOf(session)]: name, id };
  const exchange = await send(op, { id, fields: sent });
  if (!isSuccess(exchange)) return;
  note(session, { kind: op, family: family.name, id, sent, form: 'json', end: 'done' });
  const made = (await madeBy(session, family, name)).find((other) => other !== id);
  if (made === undefined) return;
  note(session, { kind: 'create', family: family.name, id: made, sent, form: 'json', end: 'unknown' });
  raise(session, {
    requirement: 'CNV-VERB',
    about: { kind: 'accepted', operation: op, subject: 'id unknown' },
    family: family.name,
    expected: 'no record to be made by an update of one that is gone',
    observed: `${answerText(exchange)}, and a record ${made} with its name`,
  });
}

/** Writes to a record by the path of a view, which changes nothing. */
async function byView(session: Session, known: Known, op: 'update' | 'delete'): Promise<void> {
  const { context } = session;
  const view = viewIn(session);
  const shape = view === undefined ? undefined : context.table[view];
  if (shape === undefined || known.isLive !== true) throw new NotDone('no view');
  const fields = { ...bodyOf(session, known), [nameOf(session, known.family)]: freshName(session), id: known.id };
  const root = context.table[known.family]?.roots.resource ?? '';
  const body = op === 'update' ? { fields, body: JSON.stringify({ [root]: fields }) } : {};
  await context.raw({ ...rawOf(shape, op, known.id), ...body });
}

/** Sends a request that may be refused. If it is, it changes nothing: the looks after it tell. */
export async function wrong(session: Session, { request, who }: StepOf<'wrong'>): Promise<void> {
  const { context } = session;
  const [op, ...rest] = request.split(' ');
  const how = rest.join(' ');
  if (op === 'create') return createWrong(session, how);
  if (how === 'gone') return onGone(session, op as 'read' | 'update' | 'delete');
  if (how === 'by view') return byView(session, recordToWrite(session, who), op as 'update' | 'delete');
  if (op === 'update') return updateWrong(session, recordToWrite(session, who), how);
  if (request === 'read unknown') {
    await context.send('read', { id: '00000000-0000-4000-8000-000000000000' });
    return;
  }
  const [field = 'name'] = context.family.filters;
  const filter = how === 'unknown field' ? 'nosuchfield.EQ.a' : `${field}.NOSUCH.a`;
  await context.send('list', { extra: [['filter', filter]] });
}
