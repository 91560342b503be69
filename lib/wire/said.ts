const SAID_LONGEST = 200;
const LOOKED_AT = 4096;

const IN_JSON = /"(?:title|message|detail|error)"\s*:\s*"((?:[^"\\]|\\.)*)"/i;
const IN_MARKUP = /<(?:\w+:)?(?:title|message)>([^<]+)<\//i;

/** The text of a JSON string; as it is where it was cut in the middle of an escape. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}

/** What a refusal says, in its own words: on one line, short; empty if it has none. */
export function saidBy(body: string): string {
  const looked = body.slice(0, LOOKED_AT);
  const json = IN_JSON.exec(looked)?.[1];
  const text = json === undefined ? (IN_MARKUP.exec(looked)?.[1] ?? looked.replace(/<[^<>]*>/g, ' ')) : unescaped(json);
  return text.replace(/\s+/g, ' ').trim().slice(0, SAID_LONGEST);
}

/** What messages that differ in an address or a number only have in common. */
export const messageShape = (text: string): string => text.replace(/[\da-f]*\d[\da-f]*(?:[.:-][\da-f]+)*/gi, '#');

const BODY_KINDS = ['empty', 'JSON', 'HTML', 'XML', 'text'] as const;
type BodyKind = (typeof BODY_KINDS)[number];

function bodyKind(body: string): BodyKind {
  const begin = body.slice(0, LOOKED_AT).trimStart();
  if (begin === '') return 'empty';
  if (/^[[{]/.test(begin)) return 'JSON';
  if (/^<!doctype html|^<html/i.test(begin)) return 'HTML';
  return begin.startsWith('<') ? 'XML' : 'text';
}

/** What an answer says: its status, its words, the kind of its body, and in how many seconds to come back, or that it names a date. */
export interface Said {
  readonly status: number;
  readonly says: string;
  readonly body: BodyKind;
  readonly retryAfter?: string;
}

/** What a refusal says, as one word of the metadata of a row. */
export function saidWord(status: number, body: string, retryAfter = ''): string {
  const again = retryAfter === '' || /^\d{1,9}$/.test(retryAfter) ? retryAfter : 'date';
  return encodeURIComponent(`${status} ${bodyKind(body)} ${again} ${saidBy(body)}`.replace(/[\uD800-\uDFFF]/g, '?'));
}

/** The same, read back; empty if it is none. */
export function readSaid(word: string): Said | undefined {
  try {
    const [, status, kind, again, says = ''] = /^(\d{3}) (\w+) (\w*) (.*)$/s.exec(decodeURIComponent(word)) ?? [];
    const body = BODY_KINDS.find((name) => name === kind);
    if (body === undefined) return undefined;
    return { status: Number(status), says, body, ...(again ? { retryAfter: again } : {}) };
  } catch {
    return undefined;
  }
}
