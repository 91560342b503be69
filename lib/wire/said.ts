/** Longest text that is kept of what an answer says. */
const SAID_LONGEST = 200;
/** So much of an answer is looked at. */
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

/** What a refusal says, in its own words: on one line, short; empty where it has none. */
export function saidBy(body: string): string {
  const looked = body.slice(0, LOOKED_AT);
  const json = IN_JSON.exec(looked)?.[1];
  const text = json === undefined ? (IN_MARKUP.exec(looked)?.[1] ?? looked.replace(/<[^>]*>/g, ' ')) : unescaped(json);
  return text.replace(/\s+/g, ' ').trim().slice(0, SAID_LONGEST);
}

/** What messages that differ in an address or a number only have in common. */
export const messageShape = (text: string): string => text.replace(/[\da-f]*\d[\da-f]*(?:[.:-][\da-f]+)*/gi, '#');

/** The status and the words of a refusal, as one word of the metadata of a row. */
export const saidWord = (status: number, body: string): string =>
  encodeURIComponent(`${status} ${saidBy(body)}`.replace(/[\uD800-\uDFFF]/g, '?'));

/** The same, read back; empty where it is none. */
export function readSaid(word: string): { readonly status: number; readonly says: string } | undefined {
  try {
    const [, status, says = ''] = /^(\d{3}) ?(.*)$/s.exec(decodeURIComponent(word)) ?? [];
    return status === undefined ? undefined : { status: Number(status), says };
  } catch {
    return undefined;
  }
}
