import { createHash } from 'node:crypto';
import { type Family, fieldsOf } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { findRecord, NotDone, nameOf, recordOf, type Session } from '../driver/session.ts';
import { isTold, nameMember, referenceOf } from '../kit/fields.ts';
import { caseTurned } from '../kit/list/value.ts';
import type { Fields, Known } from '../model/history.ts';
import type { Likeness, Name } from './step.ts';

/** Characters of a description beyond which the mark of the run replaces its end rather than making it longer. */
const LONG = 40;

/** A name that no record of the run has. */
export const freshName = ({ context, serial }: Session): string => `${context.run.prefix}${serial()}`;

/** An id that no record has, as a UUID. */
export function freshId(session: Session): string {
  const digits = createHash('sha256').update(freshName(session)).digest('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

/** The fields with the mark of the run in the description, unless the name holds it: else nobody could tell what a killed run left. */
export function marked({ context }: Session, fields: Fields, family = context.family): Fields {
  const { prefix, values } = context.run;
  const holds = (member: string) => `${fields[member] ?? ''}`.toLowerCase().includes(prefix);
  if (!('description' in fieldsOf(family)) || holds(nameMember(family) ?? 'name') || holds('description'))
    return fields;
  const text = String(fields['description'] ?? '');
  const room = text.length > LONG ? text.slice(0, -prefix.length - 1) : text;
  return { ...fields, ...values.adaptAll({ description: `${room} ${prefix}` }, family.name) };
}

/** What an update of a record starts from: what it holds, and what bodies need although no answer shows it, such as secrets. */
export function bodyOf({ context }: Session, { family, fields }: Known): Fields {
  const { requiredOnCreate = [], serverFilled = [] } = vendorFacts(family);
  const isNeeded = (member: string) => requiredOnCreate.includes(member) && serverFilled.includes(member);
  const needed = Object.entries(context.run.values.samples(0, family)).filter(([member]) => isNeeded(member));
  return { ...Object.fromEntries(needed), ...fields };
}

/** The same without what a create does without. */
export function leastBodyOf(session: Session, known: Known): Fields {
  const { requiredOnCreate = [] } = vendorFacts(known.family);
  const needed = [...requiredOnCreate, nameOf(session, known.family)];
  return Object.fromEntries(Object.entries(bodyOf(session, known)).filter(([member]) => needed.includes(member)));
}

function oneSign(text: string): string {
  const signs = [...text];
  const special = signs.findLastIndex((sign) => !/[A-Za-z0-9]/.test(sign));
  const at = special > 0 ? special : signs.length - 1;
  return [...signs.slice(0, at), '7', ...signs.slice(at + 1)].join('');
}

function related(session: Session, other: string, as: Likeness): string {
  const fresh = freshName(session);
  // By characters: one that takes two places must not be cut in half.
  const beginning = [...other].slice(0, Math.max(1, [...other].length - 2)).join('');
  const names: Readonly<Record<Likeness, () => string>> = {
    same: () => other,
    'other case': () => caseTurned(other),
    'goes on': () => `${other}${session.serial()}`,
    'one sign': () => oneSign(other),
    'long beginning': () => `${beginning}${session.serial()}`,
    'one word': () => `${fresh} ${other}`,
  };
  return names[as]();
}

const digits = ({ history }: Session): string => String(70_000 + history.length);

function alike(session: Session, like: string): string {
  const fresh = freshName(session);
  const names: Readonly<Record<string, string>> = {
    number: `${digits(session)}1`,
    'led by zeros': `00${digits(session)}`,
    truth: 'true',
    null: 'null',
    operator: `${fresh}.EQ.plain`,
    join: `${fresh} OR two`,
    capitals: fresh.toUpperCase(),
  };
  return names[like] ?? fresh;
}

/** The name as far as the target is known to take it; undefined if it takes no such name. */
export function nameText(session: Session, name: Name, family = session.context.family.name): string | undefined {
  const { values } = session.context.run;
  const member = nameOf(session, family);
  const takes = (text: string) => values.takes(member, text, family);
  if ('fresh' in name) {
    const fresh = freshName(session);
    const some = [...name.fresh].filter((sign) => takes(`${fresh}${sign}a`)).join('');
    return [`${fresh}${name.fresh}`, `${fresh}${some}`].find(takes) ?? fresh;
  }
  if ('like' in name) {
    const text = alike(session, name.like);
    const { table, ledger } = session.context;
    const home = table[family];
    const isFree = home !== undefined && isTold(home, name.like) && !ledger.isTheirs(family, text);
    return isFree && takes(text) ? text : undefined;
  }
  const known = recordOf(session, name.of);
  if (known.last.kind === 'learn' && name.as === 'same') throw new NotDone('the name is that of somebody else');
  const other = String(known.fields[nameOf(session, known.family)] ?? '');
  if (other === '') return undefined;
  const text = related(session, other, name.as);
  return takes(text) ? text : undefined;
}

/** Members of a record of the family that make it point at the labeled record, by its id or its name; none if the family does not. */
export function pointing(session: Session, who: string | undefined, family: Family): Fields {
  const known = who === undefined ? undefined : findRecord(session, who);
  if (known === undefined) return {};
  const name = known.fields[nameOf(session, known.family)];
  const isPointer = (member: string) => referenceOf(session.context.table, family, member) === known.family;
  const pointers = Object.entries(fieldsOf(family)).filter(([member]) => isPointer(member));
  return Object.fromEntries(pointers.map(([member, { refersBy }]) => [member, refersBy === 'name' ? name : known.id]));
}
