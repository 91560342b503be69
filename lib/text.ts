/** Longest text a report shows of one value that came from a target. */
const LONGEST = 8_000;

/** Control and format characters, line separators, lone surrogates and non-characters; tab and line ends pass. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

export const spelled = (character: string): string =>
  `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/** Text with everything spelled out that is invisible, reorders the line, or is not allowed in XML and HTML. */
export const visibleText = (text: string): string => text.replace(UNSEEN, spelled);

/** The beginning of a text as a copy: a plain slice of a long answer would keep all of it in memory. */
export const head = (text: string, longest: number): string =>
  text.length <= longest ? text : Buffer.from(text.slice(0, longest), 'utf16le').toString('utf16le');

/** The beginning of a text up to the end of a word, unless that is far from its longest. */
function words(text: string, longest: number): string {
  const cut = head(text, longest - 1);
  const whole = cut.replace(/\s+\S*$/, '');
  return whole.length > longest / 2 ? whole : cut;
}

/** The beginning of a text, as everything is cut that people read. */
export const short = (text: string, longest: number): string =>
  text.length <= longest ? text : `${words(text, longest)}…`;

/** A text without its middle: its beginning and its end tell which one it is. */
export const middle = (text: string, longest: number): string =>
  text.length <= longest ? text : `${head(text, longest - 7)}…${text.slice(-6)}`;

/** The beginning of a text, saying how much was left out. */
export function excerpt(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text;
  const shown = words(text, longest);
  return `${shown}… (${text.length - shown.length} more characters)`;
}

/** The beginning of a text on one line, without what a terminal would act on, or a file takes for the end of a line. */
export const oneLine = (text: string, longest = 300): string =>
  excerpt(visibleText(text).replace(/\s+/g, ' ').trim(), longest);

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

export const idIn = (text: string): string | undefined => text.match(ID)?.[0];

/** A text with `{id}` for each id of a record, which says nothing to a reader; `{another id}` for all but the one that is given, if any. */
export const withoutIds = (text: string, own?: string): string =>
  text.replace(ID, (id) => (own === undefined || id === own ? '{id}' : '{another id}'));

/** A copy of a value with every text in it changed, and names of members; members that are kept stay as they are. */
export function mappedTexts(
  value: unknown,
  text: (text: string) => string,
  of: { readonly name: (name: string) => string; readonly isKept: (name: string, member: unknown) => boolean },
): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => mappedTexts(item, text, of));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    of.name(name),
    of.isKept(name, member) ? member : mappedTexts(member, text, of),
  ]);
  return Object.fromEntries(members);
}

/** A copy of a value in which every text is short and visible; histograms pass as they are. */
export const inert = <T>(value: T, longest = LONGEST): T =>
  mappedTexts(value, (text) => visibleText(excerpt(text, longest)), {
    name: (name) => visibleText(excerpt(name, 200)),
    isKept: (name) => name === 'hdr',
  }) as T;

/** A few names of many, so that a reason stays one line. */
export function some(names: readonly string[], shown = 5): string {
  return names.length <= shown
    ? names.join(', ')
    : `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`;
}

export const pageNumber = (path: string): number => Number(/[?&]page=(\d+)/i.exec(path)?.[1] ?? 1);
