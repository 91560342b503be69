import { type Family, fieldsOf, withoutSecrets } from '../../lib/contract/types.ts';
import { jsonText } from '../../lib/json-text.ts';
import type { KeptWrite } from '../../lib/records/histories.ts';
import { isServerFilled } from '../kit/fields.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** One write to one record: plain data, in the order of the answers. */
export type Write = Readonly<KeptWrite>;

export type Form = Write['form'];

export type End = Write['end'];

/** A record as the writes so far left it. */
export interface Known {
  readonly family: string;
  readonly id: string;
  /** Undefined if a write of unknown end may have removed or made it. */
  readonly isLive: boolean | undefined;
  /** Members that must be shown with these values; a member that is not here is unknown. */
  readonly fields: Fields;
  /** Values that earlier writes gave, by member, the last one first. */
  readonly former: Readonly<Record<string, readonly unknown[]>>;
  /** The write that said last what it holds. */
  readonly last: Write;
  /** The last write that was refused, if none was done since. */
  readonly refused?: Write | undefined;
}

/** All known records, by family and id. */
export type Book = ReadonlyMap<string, Known>;

export const keyOf = (family: string, id: string): string => `${family}/${id}`;

/** Members that have to come back: listed ones except id, filled-in ones and null, which no type has. Source: end of "Special paths". */
function binding(family: Family, sent: Fields): Fields {
  const listed = fieldsOf(family);
  const binds = (member: string) => member !== 'id' && Object.hasOwn(listed, member) && !isServerFilled(family, member);
  return Object.fromEntries(
    Object.entries(sent).filter(([member, value]) => (value ?? null) !== null && binds(member)),
  );
}

/** What answers have to show of a body: the members that have to come back, without the secrets inside of them. */
export const openBinding = (family: Family, sent: Fields): Fields =>
  Object.fromEntries(
    Object.entries(binding(family, sent)).map(([member, value]) => [
      member,
      withoutSecrets(value, fieldsOf(family)[member] ?? {}),
    ]),
  );

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && jsonText(one) === jsonText(other));

/** Earlier values with those that a write replaces in front. */
function formerOf(before: Known, now: Fields): Known['former'] {
  const former: Record<string, readonly unknown[]> = { ...before.former };
  for (const [member, value] of Object.entries(before.fields))
    if (Object.hasOwn(now, member) && !isSame(now[member], value)) former[member] = [value, ...(former[member] ?? [])];
  return former;
}

/** The record after an update: what it leaves out may be kept or cleared, and of one of unknown end nobody knows that it came. */
function afterUpdate(before: Known, write: Write, fields: Fields): Known {
  const former = formerOf(before, fields);
  if (write.end === 'done')
    // An update of a record that is gone may be taken, and whether it makes the record again is not shown.
    return { ...before, isLive: before.isLive || undefined, fields, former, last: write, refused: undefined };
  const isSure = (member: string, value: unknown) => Object.hasOwn(fields, member) && isSame(fields[member], value);
  const sure = Object.entries(before.fields).filter(([member, value]) => isSure(member, value));
  return { ...before, fields: Object.fromEntries(sure), former };
}

/** The record after one more write; undefined if nothing is known of it. */
export function afterWrite(before: Known | undefined, write: Write, family: Family): Known | undefined {
  const { kind, id, end, sent } = write;
  if (end === 'refused') return before && { ...before, refused: write };
  const fields = binding(family, sent);
  if (kind === 'create') {
    const isLive = end === 'done' ? true : undefined;
    return { family: write.family, id, isLive, fields: isLive ? fields : {}, former: {}, last: write };
  }
  if (kind === 'learn') {
    const known = before ?? { family: write.family, id, isLive: true, fields: {}, former: {}, last: write };
    // A name that every object has is found in one that does not hold such a member.
    const held = Object.entries(sent).filter(([member]) => !(member in Object.prototype));
    return { ...known, fields: { ...known.fields, ...Object.fromEntries(held) } };
  }
  if (before === undefined) return undefined;
  if (kind === 'update') return afterUpdate(before, write, fields);
  if (end === 'done') return { ...before, isLive: false, last: write, refused: undefined };
  // What is gone is not made again by a delete.
  return { ...before, isLive: before.isLive === false ? false : undefined };
}

export function bookOf(history: readonly Write[], table: Readonly<Record<string, Family>>): Book {
  const book = new Map<string, Known>();
  for (const write of history) {
    const family = table[write.family];
    const key = keyOf(write.family, write.id);
    const known = family === undefined ? undefined : afterWrite(book.get(key), write, family);
    if (known !== undefined) book.set(key, known);
  }
  return book;
}

/** The records in several books. */
export const recordsIn = (books: Iterable<Book>): readonly Known[] => [...books].flatMap((book) => [...book.values()]);

/** What a member held at first. */
export const firstHeld = ({ fields, former }: Known, member: string): unknown =>
  former[member]?.at(-1) ?? fields[member];

export const hasHeld = ({ fields, former }: Known, member: string, value: unknown): boolean =>
  fields[member] === value || former[member]?.includes(value) === true;
