/** JSON of a value with the members of each object in one order, to compare two by: in which order a target writes them says nothing. */
export const jsonText = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, held: unknown) =>
    typeof held === 'object' && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1)))
      : held,
  );

/** Nesting of an answer that is still parsed: real answers have about ten levels. */
const DEEPEST = 200;

const [BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
/** What changes the depth of JSON, and where a string begins. */
const MARKS = /["[\]{}]/g;

/** Place of the quote that ends a string whose text begins here; -1 if none does. */
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

/** True if text, read as JSON, nests deeper or holds more objects than any answer does: parsing it could exhaust stack or memory. */
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

/** An id with more digits than a number keeps: rounded, it would be that of another record. */
const LONG_ID = /("id"\s*:\s*)(\d{16,})(?=\s*[,}])/g;

/** Text as JSON, long ids as text; undefined if it is none, or nests so deep that no answer of the API does. */
export function jsonOf(text: string): unknown {
  if (text === '' || isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text.replace(LONG_ID, '$1"$2"'));
  } catch {
    return undefined;
  }
}
