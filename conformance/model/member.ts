import { opRequirementId } from '../../lib/contract/requirements.ts';
import { type Family, type Field, fieldsOf, hasOp, type Op, withoutSecrets } from '../../lib/contract/types.ts';
import type { JsonObject } from '../../lib/wire/answer.ts';
import { macDigits } from '../kit/anc.ts';
import { enumeratedMembers, isServerFilled, nameMember, textMember } from '../kit/fields.ts';
import { isNothing } from '../kit/list/value.ts';
import { shown } from '../kit/record/record-reads.ts';
import type { Difference } from './difference.ts';
import { type Known, keyOf, type Write } from './history.ts';
import { isShownAs, isShownInXml, parting, withOff } from './value.ts';

const OPS_OF = { create: 'create', update: 'update', learn: 'read', delete: 'delete' } as const;

/** Operation by which a write was sent: an endpoint is written by apply and clear. */
export function opOf({ kind, bulk }: Write, home: Family): Op {
  if (bulk) return 'bulkSubmit';
  if (hasOp(home, 'apply')) return kind === 'delete' ? 'clear' : 'apply';
  return OPS_OF[kind];
}

/** Requirement that a write does to its record what it says: the row of the operations table; bulk, apply and clear have their own. */
export function effectRequirement(write: Write, home: Family): string {
  if (write.bulk) return 'SPC-BULK';
  return hasOp(home, 'apply') ? 'SPC-ANC' : opRequirementId(home.name, OPS_OF[write.kind]);
}

/** Requirement of what a write stores: "Special paths", the last paragraph. */
function writeRequirement({ last }: Known, home: Family): string {
  if (last.bulk || hasOp(home, 'apply')) return effectRequirement(last, home);
  return last.kind === 'create' ? 'PAY-C' : last.kind === 'update' ? 'PAY-U' : effectRequirement(last, home);
}

function fieldOf(family: Family, member: string): Partial<Field> {
  const fields = fieldsOf(family);
  return (Object.hasOwn(fields, member) ? fields[member] : undefined) ?? {};
}

/** What was sent, as far as an answer has to show it. */
const sentOf = ({ fields }: Known, family: Family, member: string): unknown =>
  withoutSecrets(fields[member], fieldOf(family, member));

/** An address in the one form that the notes give it; the case of its letters is not stated. */
const inCapitals = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);

function isRight(known: Known, home: Family, member: string, seen: unknown, isXml: boolean): boolean {
  const raw = sentOf(known, home, member);
  const isMac = fieldOf(home, member).form === 'mac';
  const [sent, got] = isMac ? [inCapitals(raw), inCapitals(seen)] : [raw, seen];
  // What XML sends empty may be taken for left out, in whatever form it is read.
  if (isXml) return (known.last.form === 'xml' && isNothing(sent)) || isShownInXml(got, sent);
  if (!isShownAs(got, sent, known.last.form)) return false;
  // A list that was sent empty may be filled by the server, but not with what it held before. XML has no empty list.
  const former = known.former[member]?.[0];
  if (!Array.isArray(sent) || sent.length > 0 || isNothing(former) || known.last.form === 'xml') return true;
  return !isShownAs(got, former, known.last.form);
}

/** Generated numbers: what is sent to have one generated is not what comes back. Source: "Resources and their fields". */
export function isGenerated(family: Family, member: string, value: unknown): boolean {
  return generatedRange(family, member, value) !== undefined;
}

/** Range of the number that is generated for the one that was sent; undefined if none is. */
export function generatedRange(family: Family, member: string, sent: unknown): readonly [number, number] | undefined {
  const { type } = fieldOf(family, member);
  const isAsked = typeof type === 'object' && 'range' in type && typeof sent === 'number' && type.or.includes(sent);
  return isAsked ? type.range : undefined;
}

export const isWithin = (value: unknown, [least, most]: readonly [number, number]): boolean =>
  typeof value === 'number' && value >= least && value <= most;

export interface Seen {
  readonly family: Family;
  /** Family of the record, if a view shows it. */
  readonly home?: Family | undefined;
  readonly where: string;
  /** Members that the entry or the answer may leave out without contradicting a read. */
  readonly leaving: 'nothing' | 'anything';
  readonly isXml: boolean;
  /** Requirement of the window for a wrong member, if another than that of the write. */
  readonly requirement?: (member: string) => string | undefined;
  /** Operation of the window, if another than that of the write. */
  readonly operation?: Op;
  readonly writes?: readonly Write[] | undefined;
  /** Members that the target shows if they are off or zero; it may leave out all others that are. */
  readonly shownOff?: readonly string[] | undefined;
}

/** The first member that no reading of the writes so far allows, with what it shows; undefined if there is none. */
export function wrongMember(known: Known, record: JsonObject, { leaving, isXml, home, family, shownOff }: Seen) {
  const own = home ?? family;
  const seenOf = (member: string) =>
    shownOff?.includes(member) === true ? record[member] : withOff(record[member], sentOf(known, own, member));
  const member = Object.keys(known.fields).find((each) => {
    const [sent, seen] = [sentOf(known, own, each), seenOf(each)];
    // Nothing says that an entry holds every member, nor that an XML answer does.
    if ((leaving === 'anything' || isXml) && isNothing(seen)) return false;
    const range = generatedRange(own, each, sent);
    if (range === undefined) return !isRight(known, own, each, seen, isXml);
    return !isWithin(isXml ? Number(seen) : seen, range);
  });
  return member === undefined ? undefined : { member, seen: seenOf(member) };
}

/** The requirement that a wrong member breaks: of its type or form, the refused write that sent it, the window, or the last write. */
function memberRequirement(known: Known, member: string, seen: unknown, at: Seen): string {
  const { family, home = family, isXml, requirement } = at;
  const sent = sentOf(known, home, member);
  const range = generatedRange(home, member, sent);
  const isScalar = seen !== undefined && seen !== null && typeof seen !== 'object' && typeof sent !== 'object';
  const isSame = range === undefined ? String(seen) === String(sent) : isWithin(Number(seen), range);
  if (!isXml && isScalar && typeof seen !== typeof sent && isSame) return 'RES-TYPE';
  if (range !== undefined) return 'RES-SGTVAL';
  if (fieldOf(home, member).form === 'mac' && macDigits(seen) === macDigits(sent)) return 'RES-MAC';
  const isOf = (write: Write | undefined) =>
    write !== undefined && !isNothing(write.sent[member]) && isShownAs(seen, write.sent[member], write.form);
  if (isOf(known.refused)) return effectRequirement(known.refused as Write, home);
  return requirement?.(member) ?? writeRequirement(known, home);
}

/** The later write to another record that sent what a record shows, an update before a create. Names and listed values tell none. */
function writerOf(known: Known, member: string, seen: unknown, { home, family, writes = [] }: Seen): Write | undefined {
  const untold = [nameMember(home ?? family), ...enumeratedMembers(home ?? family)];
  if (!['string', 'number'].includes(typeof seen) || isNothing(seen) || untold.includes(member)) return undefined;
  const isOwn = (write: Write) => write.family === known.family && write.id === known.id;
  const isSent = ({ sent, form }: Write) => !isNothing(sent[member]) && isShownAs(seen, sent[member], form);
  const own = writes.findLastIndex((write) => isOwn(write) && write.kind !== 'learn');
  const isOther = (write: Write) => write.family === known.family && !isOwn(write) && isSent(write);
  const later = writes.slice(own + 1).filter(isOther);
  const isHeld = writes.some((write) => isOwn(write) && isSent(write));
  return isHeld ? undefined : (later.findLast(({ kind }) => kind === 'update') ?? later.at(-1));
}

/** The text member of a record that no write gave one, if it shows what was sent for another record: no target fills that in by itself. */
function strayText({ family: own, id, fields }: Known, record: JsonObject, { home, family, writes = [] }: Seen) {
  const shape = home ?? family;
  const member = textMember(shape);
  if (member === undefined || member === nameMember(shape) || member in fields || isServerFilled(shape, member))
    return undefined;
  const text = record[member];
  const sentFor = (isOwn: boolean) =>
    writes.some((write) => write.family === own && (write.id === id) === isOwn && write.sent[member] === text);
  return typeof text === 'string' && text !== '' && sentFor(false) && !sentFor(true) ? member : undefined;
}

function lengths(sent: unknown, seen: unknown): string {
  if (!Array.isArray(sent) || !Array.isArray(seen) || sent.length === seen.length) return '';
  return seen.length < sent.length
    ? `${seen.length} of ${sent.length} items, `
    : `${seen.length} items instead of ${sent.length}, `;
}

/** The first member of a shown record that no reading of the writes so far allows. */
export function memberDifference(known: Known, record: JsonObject, at: Seen): Difference | undefined {
  const { family, home = family, where, operation = opOf(known.last, home) } = at;
  const stray = strayText(known, record, at);
  const wrong = wrongMember(known, record, at);
  const member = wrong?.member ?? stray;
  if (member === undefined) return undefined;
  const [sent, seen] = [sentOf(known, home, member), wrong?.seen ?? record[member]];
  const range = generatedRange(home, member, sent);
  const [path, sentThere, seenThere] = parting(member, sent, seen, known.last.form);
  const holder = keyOf(known.family, known.id);
  const plain: Difference = {
    holder,
    requirement: memberRequirement(known, member, seen, at),
    about: { kind: seen === undefined ? 'missing' : 'value', operation, subject: `member ${member}` },
    family: family.name,
    expected:
      member === stray
        ? `no ${member} ${where}, as none was sent`
        : range === undefined
          ? `${path} ${shown(sentThere)} ${where}`
          : `${member} from ${range.join(' to ')} ${where}, as ${sent} asks for one`,
    observed: `${lengths(sentThere, seenThere)}${shown(seenThere)}${member === stray ? ', which was sent for another record' : ''}`,
  };
  const writer = writerOf(known, member, seen, at);
  if (writer === undefined) return plain;
  return {
    requirement: effectRequirement(writer, home),
    about: { kind: 'no-effect', operation: opOf(writer, home), subject: 'other records' },
    family: family.name,
    expected: `the record ${known.id}, which it does not name, to keep ${member} ${shown(sent)}`,
    observed: `${shown(seen)}, which was sent for another record`,
    holder,
    unlessWritten: plain,
  };
}
