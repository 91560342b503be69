import { type Threshold, thresholdWords } from './threshold.ts';

/** `a, b and c`. */
export const and = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const SIGNS: Readonly<Record<string, string>> = { ' ': 'a blank', '\n': 'a line break', '\t': 'a tab' };
const SIGN = /[^A-Za-z0-9]/gu;
/** A sign that comes twice or more in a row. */
const REPEATED = /([^A-Za-z0-9])\1+/gu;
/** Characters of a text other than letters and digits, each once. */
export const signsIn = (text: string): readonly string[] => [...new Set(text.match(SIGN) ?? [])];

/** Letters in words and names of a run, at most. */
export const LONG = 40;
/** Letters of a text that is short. */
export const SHORT = 8;
/** Signs of a text that are told, and of which each is left out in turn. */
const MOST_SIGNS = 4;

/** What follows a sign in a text: behind a percent sign it is the code of a letter, so that what is decoded twice shows. */
export const AFTER = '4b';

/** A text of another length with the same end. */
export const sizedText = (text: string, length: number): string =>
  length === 0 ? '' : text.slice(-length).padStart(length, 'a');

/** Length of the shortest end of a text that holds each capital, digit and sign of it: a shorter one lacks more than its length. */
export const leastEnd = (text: string): number =>
  text.length - Math.min(text.length, ...[...new Set(text.match(/[^a-z]/g))].map((sign) => text.lastIndexOf(sign)));

/** What is particular about a text, as a predicate: `holds a blank`; undefined for a few small letters. `length`: which one matters. */
export function textWords(text: string, length?: string): string | undefined {
  const signs = signsIn(text);
  const long = length ?? (text.length > LONG ? `${text.length}` : undefined);
  const wordOf = (sign: string) =>
    `${SIGNS[sign] ?? JSON.stringify(sign)}${text.includes(sign + sign) ? ' twice in a row' : ''}`;
  const more = signs.length > MOST_SIGNS ? [`${signs.length - MOST_SIGNS} more`] : [];
  const holds = `holds ${and([...signs.slice(0, MOST_SIGNS).map(wordOf), ...more])}`;
  if (text === '') return 'is empty';
  if (/^\d{4}-\d\d-\d\dT[\d:.+Z-]+$/.test(text)) return 'is a date';
  if (long !== undefined) return `is ${long} characters long${signs.length === 0 ? '' : ` and ${holds}`}`;
  if (signs.length > 0) return holds;
  // A shorter one, or one of capitals alone, may be a word with a meaning; of this one, small letters were tried.
  if (text.length >= SHORT - 1 && /[A-Z]/.test(text) && /[^A-Z]/.test(text)) return 'holds a capital letter';
  return text.length === 1 || !/^[a-z]+$/.test(text) ? `is ${JSON.stringify(text)}` : undefined;
}

/** In place of a bound: any character beyond ASCII matters. */
export const BEYOND_ASCII = 'beyond ASCII';

/** True for a text whose signs are all beyond ASCII. */
export const isForeign = (text: string): boolean => /^\P{ASCII}+$/u.test(text.replace(/[A-Za-z0-9]/g, ''));

/** What is particular about a member's value, as a clause; none for a few small letters. `bound`: from which size on it matters. */
export function valueWords(member: string, value: unknown, bound?: Threshold | typeof BEYOND_ASCII): readonly string[] {
  if (bound === BEYOND_ASCII) return [`${member} holds a character that is not ASCII`];
  const size = bound && thresholdWords(bound);
  if (typeof value === 'string') {
    const words = textWords(value, size);
    return words === undefined ? [] : [`${member} ${words}`];
  }
  if (Array.isArray(value))
    return [
      `${member} ${value.length === 0 ? 'is empty' : `holds ${value.length === 1 ? 'an item' : `${size ?? value.length} items`}`}`,
    ];
  return [typeof value === 'object' ? `${member} is set` : `${member} is ${size ?? value}`];
}

/** Of many signs, it without them or half of them; a short text without capitals, one of letters, the beginning, one of small letters and one of letters that are as long, short ones with one of its signs, it with each sign once in a row, and it without one. */
export function plainerTexts(text: string): readonly string[] {
  const letters = text.replace(SIGN, 'a');
  const short = letters.slice(-SHORT);
  // Shorter than what is sized: in a long text it is not the length that matters then.
  const begin = letters.slice(0, SHORT - 1);
  const signs = signsIn(text);
  const alone = signs.map((sign) => `a${sign}${sign === '%' ? AFTER : 'b'}`);
  const lacking = (some: readonly string[]) => [...text].filter((sign) => !some.includes(sign)).join('');
  // Of many signs, few are what matters.
  const half = signs.length > MOST_SIGNS ? signs.length >> 1 : 0;
  const halves = half > 0 ? [letters, lacking(signs.slice(half)), lacking(signs.slice(0, half))] : [];
  const fewer = signs.length > 1 && half === 0 ? signs.map((sign) => lacking([sign])) : [];
  const small = letters.replace(/[^a-z]/g, 'a');
  const shorter = [short.toLowerCase(), ...(text.length > SHORT ? [short, begin] : [])];
  const all = [...halves, ...shorter, small, letters, ...alone, text.replace(REPEATED, '$1'), ...fewer];
  return [...new Set(all)].filter((each) => each !== text && each.length <= text.length);
}

/** Clauses behind `only if`: `the record was renamed, and size=3`. */
export const clausesText = (clauses: readonly string[]): string | undefined =>
  clauses.length < 2 ? clauses[0] : `${clauses.slice(0, -1).join(', ')}, and ${clauses.at(-1)}`;
