import { jsonOf } from '../../../json-text.ts';
import type { DifferenceKind } from '../../../records/vocabulary.ts';
import type { Failed } from './causes.ts';

/** What a target made of the values of one member. */
export interface Distortion {
  readonly family: string;
  readonly member: string;
  /** For a person, behind the name of the member: `in small letters`, `cut short`. */
  readonly how: string;
  /** A value that has nothing in common with what was sent. */
  readonly isOther: boolean;
  readonly sent: Value;
  readonly seen: Value;
  readonly isCut: boolean;
}

export const CUT = 'cut short';
export const AS_TEXT = 'as a text';
export const AS_BEFORE = 'as it was before';
/** Characters that what a target stores them in does not have. */
export const CHARSET = 'in another character set';

type Value = string | number | boolean | null | readonly unknown[];

/** The JSON value that a text begins with; of a text that was cut for the record, what is left of it. */
function valueIn(text: string): { readonly value: Value; readonly isCut: boolean } | undefined {
  const [whole, inner, end] = /^"((?:[^"\\]|\\.)*)("|…|$)/u.exec(text) ?? [];
  if (whole !== undefined && inner !== undefined) {
    const value = jsonOf(`"${inner.replace(/…[^…]*$/u, '')}"`);
    return typeof value === 'string' ? { value, isCut: end !== '"' } : undefined;
  }
  const [plain] = /^(?:-?\d+(?:\.\d+)?|true|false|null)(?=[\s,}]|$)|^\[.*\](?= in | after |$)/.exec(text) ?? [];
  const value = plain === undefined ? undefined : (jsonOf(plain) as Value | undefined);
  return value === undefined ? undefined : { value, isCut: false };
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#34;': '"', '&apos;': "'", '&#39;': "'" },
};
const unescaped = (text: string) => text.replace(/&(?:amp|lt|gt|quot|apos|#39|#34);/g, (all) => ENTITIES[all] ?? all);
/** A percent sign that begins no code stays. */
const decoded = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
const isDecoded = (text: string, other: string) =>
  text !== other && [text, text.replaceAll('+', ' ')].some((each) => decoded(each) === other);
const unbroken = (text: string) => text.replace(/[\r\n]/g, '');
const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();

const isBegun = (sent: string, kept: string) => kept !== '' && kept.length < sent.length && sent.startsWith(kept);

/** What is done to texts, in words; the first that explains what is shown. */
const TEXTS: readonly (readonly [how: string, explains: (sent: string, seen: string) => boolean])[] = [
  ['in small letters', (sent, seen) => seen === sent.toLowerCase()],
  ['in capitals', (sent, seen) => seen === sent.toUpperCase()],
  ['with fewer blanks', (sent, seen) => squeezed(seen) === squeezed(sent) && seen.length < sent.length],
  ['with other blanks', (sent, seen) => squeezed(seen) === squeezed(sent)],
  ['without its last signs', (sent, seen) => isBegun(sent, seen) && /^[\p{P}\p{S}]+$/u.test(sent.slice(seen.length))],
  [CUT, (sent, seen) => isBegun(sent, seen.replace(/(?:\.{3}|…)$/, ''))],
  ['with line breaks', (sent, seen) => unbroken(seen) !== seen && unbroken(sent).startsWith(unbroken(seen))],
  ['escaped for markup', (sent, seen) => seen !== sent && unescaped(seen) === sent],
  ['without its markup', (sent, seen) => seen === unescaped(sent) || seen === sent.replace(/<[^>]*>/g, '')],
  ['with codes of an address', (sent, seen) => isDecoded(seen, sent)],
  ['with its percent codes decoded', (sent, seen) => isDecoded(sent, seen)],
  [
    CHARSET,
    (sent, seen) =>
      (seen !== '' && Buffer.from(sent, 'utf8').toString('latin1').startsWith(seen)) ||
      [/[^\p{ASCII}]/gu, /[\u{10000}-\u{10ffff}]/gu].some(
        (lost) => unmarked(seen) === unmarked(sent.replace(lost, '')),
      ),
  ],
  [
    'without some of its signs',
    (sent, seen) => seen !== '' && seen.length < sent.length && letters(seen) === letters(sent),
  ],
];

const letters = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}\s]/gu, '');

/** A text without what stands for characters that a character set does not have. */
const unmarked = (text: string): string => text.replace(/[?\ufffd]/g, '');

const typeWord = (value: Value) => (typeof value === 'string' ? 'text' : Array.isArray(value) ? 'list' : typeof value);

/** A value is what was sent in the member before the last write: the write changed nothing. */
function isStale({ shown, result }: Failed, member: string, value: Value, isCut: boolean): boolean {
  const own = shown?.beside.filter(({ family }) => family === result.family) ?? [];
  const writes = own.filter(({ operation }) => operation === 'create' || operation === 'update');
  if (writes.at(-1)?.operation !== 'update') return false;
  const inner = member.split('.').at(-1);
  const json = isCut ? JSON.stringify(value).slice(0, -1) : JSON.stringify(value);
  const [ended, quoted] = isCut ? ['', ''] : ['<', '"'];
  const forms = [`"${inner}":${json}`, `${inner}>${value}${ended}`, `${inner}="${value}${quoted}`];
  const before = writes.slice(0, -1).map(({ requestBody = '' }) => unescaped(requestBody));
  return before.some((body) => forms.some((form) => body.includes(form)));
}

function howOf(failed: Failed, member: string, sent: Value, seen: Value, isCut: boolean): string | undefined {
  if (sent === seen) return undefined;
  if (isStale(failed, member, seen, isCut)) return AS_BEFORE;
  if (typeof sent === 'string' && typeof seen === 'string') {
    const [how] = TEXTS.find(([, explains]) => explains(sent, isCut ? seen.slice(0, sent.length) : seen)) ?? [];
    if (how !== undefined) return how;
  } else if (typeof sent !== typeof seen && String(sent) === String(seen)) return `as a ${typeWord(seen)}`;
  // Whoever keeps a number in too few bits shows another one that is the same modulo 256.
  if (typeof sent === 'number' && typeof seen === 'number')
    return (sent - seen) % 256 === 0 ? 'in fewer bits' : 'as another number';
  return typeof sent === 'string' ? `as ${JSON.stringify(seen)}` : undefined;
}

/** `description "sent" in a read`, or `after an update as XML {"name":"same","description":"sent"}`. */
const EXPECTED = /^(?:(\w[\w.[\]]*) (?=["[\d\-tfn])|[\w ]*(?=\{"\w+":))/;

const SHOWN: ReadonlySet<DifferenceKind> = new Set(['value', 'no-effect']);
/** How the oracle names the value of a member, by its path: `settings.page.port 8443 in a read`. */
export const MEMBER = /^(\w[\w.[\]]*) (["[{\d\-tfn].*) (?:in|after) .*$/;

/** How many records there are is no value of a member: `all 2 records of a bulk delete gone`. */
const COUNTED = /^\w+ \d+ records\b/;

/** What the target made of a member's value, if the difference between what was sent and what is shown has a name. */
export function distortionOf(failed: Failed): Distortion | undefined {
  const { family, expected = '', observed = '' } = failed.result;
  const [begin, plain] = EXPECTED.exec(expected) ?? [];
  if (begin === undefined || COUNTED.test(expected) || !SHOWN.has(failed.failure.kind)) return undefined;
  const shownIn = (text: string, member: string) => valueIn(text.split(`"${member}":`)[1] ?? '');
  const members = [...expected.matchAll(/"(\w+)":/g)].map(([, each = '']) => each);
  for (const member of plain === undefined ? members : [plain]) {
    const sent = plain === undefined ? shownIn(expected, member) : valueIn(expected.slice(begin.length));
    const seen = plain === undefined ? shownIn(observed, member) : valueIn(observed);
    // An id is given by the target: what shows another one shows another record.
    if (sent === undefined || seen === undefined || member === 'id') continue;
    const isCut = sent.isCut || seen.isCut;
    const [one, other] = [String(sent.value), String(seen.value)];
    if (plain === undefined && isCut && (one.startsWith(other) || other.startsWith(one))) continue;
    const how = howOf(failed, member, sent.value, seen.value, isCut);
    if (how !== undefined)
      return { family, member, how, isOther: how.startsWith('as "'), sent: sent.value, seen: seen.value, isCut };
  }
  return undefined;
}
