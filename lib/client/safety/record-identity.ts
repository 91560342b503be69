import type { FamilyTable } from '../../contract/types.ts';
import { memberOf } from '../../contract/vendor.ts';
import { jsonOf as anyJsonOf } from '../../said.ts';
import { isObject, type JsonObject, recordOf } from '../../wire/answer.ts';
import type { ListItem } from '../../wire/list-walk.ts';

/** Nesting of an answer that is still parsed: real answers have about ten levels. */
const DEEPEST = 200;

const [BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
/** What changes the depth of JSON, and where a string begins. */
const MARKS = /["[\]{}]/g;

/** Place of the quote that ends a string whose text begins here; -1 where none does. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (at - slashes > from && text.charCodeAt(at - slashes - 1) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

/** Objects and lists of an answer that is still parsed: one of 4 MiB has fifty thousand. */
const MOST = 300_000;

/** True where text, read as JSON, nests deeper than any answer does, or holds more objects: parsing and walking it could exhaust stack or memory. */
export function isTooDeep(text: string): boolean {
  // Short of as many brackets, it cannot be.
  if (text.length < DEEPEST) return false;
  let depth = 0;
  let begun = 0;
  MARKS.lastIndex = 0;
  for (let mark = MARKS.exec(text); mark !== null; mark = MARKS.exec(text)) {
    const code = text.charCodeAt(mark.index);
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth += 1;
      begun += 1;
      if (depth > DEEPEST || begun > MOST) return true;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth -= 1;
    else {
      const end = endOfString(text, mark.index + 1);
      if (end === -1) return false;
      MARKS.lastIndex = end + 1;
    }
  }
  return false;
}

/** Body as JSON; undefined where it is none, or nests so deep that no answer of the API is. */
export const jsonOf = (body: string): unknown => (body === '' || isTooDeep(body) ? undefined : anyJsonOf(body));

/** The record in an answer or a body, or the object itself. */
export const resourceOf = (value: unknown): JsonObject | undefined =>
  recordOf({ json: value }) ?? (isObject(value) ? value : undefined);

/** Members that may hold the name of a record of the family. */
export const nameMembers = (family: string): readonly string[] => [...new Set([memberOf(family, 'name'), 'name'])];

/** Member in which a record can be recognized by the run's prefix where its name does not tell. */
export const MARK = 'description';

export function nameIn(family: string, record: JsonObject | undefined): string | undefined {
  const held = nameMembers(family).map((member) => record?.[member]);
  return held.find((name): name is string => typeof name === 'string');
}

/** Tells what belongs to one family (ids, names, marks) apart from that of another, as a key of maps and sets. */
export const keyIn = (family: string, text: string): string => `${family}/${text}`;

export const recordKey = ({ family, id }: { readonly family: string; readonly id: string }): string =>
  keyIn(family, id);

/** The family and, of a view, those whose records it shows. */
export const homesOf = (table: FamilyTable, family: string): readonly string[] => [
  family,
  ...(table[family]?.viewOf ?? []),
];

export interface ListEntry {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
}

/** An item of a list with the texts that tell records apart. */
export function entryOf({ id, record }: ListItem): ListEntry {
  const texts = (['name', 'description'] as const).flatMap((member) => {
    const text = record[member];
    return typeof text === 'string' ? [[member, text] as const] : [];
  });
  return { id, ...Object.fromEntries(texts) };
}
