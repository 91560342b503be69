import type { Exchange } from '../../lib/client/types.ts';
import type { Family } from '../../lib/contract/types.ts';
import { isOfState, isSuccess } from '../../lib/wire/answer.ts';
import { findRecord, NotDone, nameOf, raise, type Session } from '../driver/session.ts';
import { refusalText } from '../kit/answer.ts';
import { isNumbered } from '../kit/fields.ts';
import { takeUp } from '../kit/record/finder.ts';
import { isServerFault } from '../kit/record/record-reads.ts';
import { readsXml } from '../kit/record/xml-form.ts';
import { type Fields, type Form, hasHeld } from '../model/history.ts';
import { isGenerated } from '../model/member.ts';
import { attempt, refusedOnce, refusedPlain, sendPlain } from './attempt.ts';
import { admit, madeBy, mustHaveNoEffect, settleCreate } from './made.ts';
import { freshId, freshName, marked, nameText, pointing } from './names.ts';
import { freeNumbers, hasUsedNumber, mustTakeStated } from './stated.ts';
import type { StepOf } from './step.ts';

export const OTHER_XML = 'the XML form of a resource is not shown, and the target reads another';

/**
 * Fields in a form. In XML they are without members that hold an object or a list, because how these are written is not shown; those
 * that the target is known to need stay.
 */
export function inForm(
  { context }: Session,
  form: Form,
  fields: Fields,
  family: string,
): { readonly fields: Fields; readonly format?: 'xml' } {
  if (form === 'json') return { fields };
  const needed = context.run.trial(family)?.form?.members ?? {};
  const isNested = (value: unknown) => typeof value === 'object' && value !== null;
  const flat = Object.entries(fields).filter(([member, value]) => member in needed || !isNested(value));
  return { fields: Object.fromEntries(flat), format: 'xml' };
}

/** True for a create under the name that a record had which is gone: that name was taken before. */
const isOfGone = (session: Session, { name }: StepOf<'create'>): boolean =>
  'of' in name && name.as === 'same' && findRecord(session, name.of)?.isLive === false;

/** A refused create: refused for good, or only now? Nothing says which values a target takes, but for numbers of a range. */
async function refused(session: Session, exchange: Exchange, fields: Fields, step: StepOf<'create'>, family: Family) {
  const { as, set } = step;
  const { ledger } = session.context;
  const writes = ledger.writes(family.name);
  const name = nameOf(session, family.name);
  // Another word, with the same signs in it and of the same length.
  const given = String(fields[name]);
  const signs = given.replace(/[a-z0-9]/g, '');
  const numbers = await freeNumbers(session, family, fields, set);
  const other = `${freshName(session)}${signs}b`.padEnd(Math.min(60, given.length), 'a');
  const again = { ...fields, ...numbers, [name]: other };
  const second = await sendPlain(session, 'create', { fields: again }, family.name);
  if (!(await settleCreate(session, second, { family, fields: again, form: 'json', as })))
    return mustTakePlain(session, family, fields, as);
  // A number that was asked for may have been another record's, which is gone since.
  const isAsked = Object.entries(set).some(([m, value]) => isNumbered(family, m) && !isGenerated(family, m, value));
  // Whether the letters of the name are the one thing that differs.
  const isSame = !isAsked && Object.keys(numbers).length === 0;
  const isUsual = /^\p{ASCII}+$/u.test(given) && given.length < 60;
  // How many records a target takes is not shown ("Limits"): one that was removed meanwhile may have made room.
  if (isOfState(exchange) && ledger.writes(family.name, [second]) > writes) return;
  if (isSame && (isUsual || isOfGone(session, step))) refusedOnce(session, 'create', exchange, family.name);
}

/** A create that is refused twice, while a plain one and one with stated values are taken. Source: "Resources and their fields". */
async function mustTakePlain(session: Session, family: Family, refused: Fields, as: string): Promise<void> {
  const { context } = session;
  const name = nameOf(session, family.name);
  // The answer to one that is refused, although no other record may have its numbers.
  const take = async (set: Fields, label: string): Promise<Exchange | undefined> => {
    const fields = context.payload({ ...set, [name]: freshName(session) }, family.name);
    const exchange = await sendPlain(session, 'create', { fields }, family.name);
    const isTaken = await settleCreate(session, exchange, { family, fields, form: 'json', as: `${as} ${label}` });
    return isTaken || (await hasUsedNumber(session, family, fields)) ? undefined : exchange;
  };
  const plain = await take({}, 'plain');
  if (plain !== undefined) return refusedPlain(session, 'create', plain, { on: family.name });
  return mustTakeStated(session, family, 'create', refused, (set) => take(set, Object.keys(set).join(' ')));
}

/** Creates one record. Throws `NotDone` if the target does not take it. */
export async function create(session: Session, step: StepOf<'create'>): Promise<void> {
  session.count.flying += 1;
  try {
    await createOne(session, step);
  } finally {
    session.count.flying -= 1;
  }
}

/** True if what a create carries is refused for a plain record too: a name may have been taken, and given free right after. */
async function isRefusedAgain(session: Session, { as, form, carried }: StepOf<'create'>, family: Family) {
  const { name } = family;
  const fields = () => session.context.payload({ [nameOf(session, name)]: freshName(session) }, name);
  const plain = () => inForm(session, form, fields(), name);
  const control = { on: name, again: plain };
  const { exchange, sent, broken } = await attempt(session, 'create', plain(), carried, control);
  await settleCreate(session, exchange, { family, fields: sent.fields ?? {}, form, as: `${as} again` });
  return broken !== undefined;
}

/** Names that no deployment can take for that of the record they are like, but in its family. */
const DISTINCT = new Set<string>(['same', 'one sign', 'goes on', 'long beginning', 'one word']);

async function createOne(session: Session, step: StepOf<'create'>): Promise<void> {
  const { context } = session;
  const family = context.table[step.family ?? context.family.name];
  if (family === undefined || !context.run.mayCreate(family.name)) throw new NotDone('no create');
  const isOwn = family.name === context.family.name;
  if (step.form === 'xml' && isOwn && !(await readsXml(context))) throw new NotDone(OTHER_XML);
  const member = nameOf(session, family.name);
  const name = nameText(session, step.name, family.name);
  if (name === undefined) throw new NotDone('no such name is taken');
  const whole = context.payload(
    {
      ...context.run.values.adaptAll(step.set, family.name),
      ...pointing(session, step.refersTo, family),
      // Left out, whatever a payload usually has.
      ...Object.fromEntries((step.without ?? []).map((each) => [each, undefined])),
      [member]: name,
    },
    family.name,
  );
  const bodyFor = (text: string) => {
    const given = step.withId ? { id: freshId(session) } : {};
    return inForm(session, step.form, marked(session, { ...whole, ...given, [member]: text }, family), family.name);
  };
  const body = bodyFor(name);
  // Nobody else gives such a name.
  const isOurs = name.startsWith(session.own);
  // A name that is taken by another record, now or before, may be refused. A word may be another's.
  const isFree =
    'fresh' in step.name ||
    ('as' in step.name &&
      DISTINCT.has(step.name.as) &&
      isOurs &&
      ![...session.book.values()].some((known) => known.family === family.name && hasHeld(known, member, name)));
  const { exchange, sent, broken } = await attempt(session, 'create', body, step.carried, {
    on: family.name,
    // What is particular about the name may be the reason of a refusal: then the control has it too.
    again: () => ('fresh' in step.name ? bodyFor(nameText(session, step.name, family.name) ?? name) : body),
    hadEffect: async () => isOurs && (await madeBy(session, family, name)).length > 0,
  });
  const { fields = {} } = sent;
  if (isSuccess(exchange)) {
    await admit(session, exchange, { family, fields, form: step.form, as: step.as });
    if (broken !== undefined && (await isRefusedAgain(session, step, family))) raise(session, broken);
    return;
  }
  if (isOurs) await mustHaveNoEffect(session, exchange, { family, fields, form: step.form, as: step.as });
  else await takeUp(context, family.name, String(fields[member]));
  // A form that is not shown may be refused.
  if (session.labels.has(step.as)) return;
  // The name of a record that is gone may be refused, but to fail at it is no refusal.
  const isMeant = isFree || (isOurs && isOfGone(session, step) && isServerFault(exchange));
  if (isMeant && isOwn && step.form === 'json') await refused(session, exchange, fields, step, family);
  if (session.labels.get(step.as) === undefined) throw new NotDone(refusalText(exchange));
}
