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

/** A few names of many, and of more that have none, so that a reason stays one line. */
export function some(names: readonly string[], shown = 5, unnamed = 0): string {
  return names.length <= shown
    ? names.join(', ')
    : `${names.slice(0, shown).join(', ')} and ${names.length - shown + unnamed} more`;
}

export const pageNumber = (path: string): number => Number(/[?&]page=(\d+)/i.exec(path)?.[1] ?? 1);

/** A count with thin groups of thousands. */
export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');

/** Milliseconds to three significant digits; null is an arrival share that was never served. */
export function ms(value: number | null): string {
  if (value === null) return 'not served';
  if (value >= 100) return count(value);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const millis = (value: number | null): string => (value === null ? ms(value) : `${ms(value)} ms`);

export const rate = (value: number): string => (value >= 1000 ? count(value) : value.toFixed(1));

export const percent = (value: number): string => `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;

/** A length of time in words: `4 min 12 s`. */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return `${Math.round(milliseconds)} ms`;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** A length of time that is not known to the second: `about 38 min`. */
export const roughly = (seconds: number): string =>
  seconds >= 120 ? `${count(seconds / 60)} min` : duration(seconds * 1000);

/** An instant as `2026-01-31 12:00 UTC`. */
export const instant = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** A number with its noun in the right form: `1 result`, `2 results`, `0 entries`. */
export const counted = (number: number, noun: string, plural = `${noun}s`): string =>
  `${count(number)} ${number === 1 ? noun : plural}`;

/** `is` or `are`, as a number of things asks for. */
export const be = (number: number): string => (number === 1 ? 'is' : 'are');

const MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** How a duration is written: a number with a unit, or a bare one. */
export const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;

/** Milliseconds of a duration such as 500ms, 20s, 5m or 1h, where a bare number is seconds; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const found = DURATION.exec(text);
  return found === null ? undefined : Number(found[1]) * (MS[found[2] ?? 's'] ?? 1);
}

/** A duration in the largest unit of which it is a whole number. */
export function durationText(ms: number): string {
  const unit = (['h', 'm', 's'] as const).find((name) => ms >= (MS[name] ?? 0) && ms % (MS[name] ?? 1) === 0) ?? 'ms';
  return `${ms / (MS[unit] ?? 1)}${unit}`;
}

/** What a reader is told of a verdict: passed, failed, not tested, or unclear with a reason. Records keep their own words. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ pass: 'passed', met: 'passed', conformant: 'passed', proven: 'passed' },
  ...{ fail: 'failed', violated: 'failed', 'non-conformant': 'failed', disproven: 'failed' },
  ...{ blocked: 'unclear', inconclusive: 'unclear', error: 'unclear', invalid: 'unclear' },
  ...{ 'not-testable': 'not tested', 'not-applicable': 'not tested', 'not-tested': 'not tested' },
  ...{ warn: 'warning', info: 'note' },
};

export const verdictWord = (verdict: string): string => WORDS[verdict] ?? verdict;

/** What a cell came to. A step of a search that does not hold has failed in nothing: it is how the limit is found. */
export function cellWord(verdict: string, step: { readonly purpose: string } | undefined): string {
  if (step === undefined || verdict === 'invalid') return verdictWord(verdict);
  if (step.purpose === 'recovery') return 'overloaded on purpose';
  return verdict === 'met' ? 'held' : 'did not hold';
}

/** Rows as aligned columns under their titles; numbers, where `right` says so, to the right. */
export function tableLines(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const all = [titles, ...rows];
  const widths = titles.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]) =>
    widths
      .map((width, at) => (right.includes(at) ? (row[at] ?? '').padStart(width) : (row[at] ?? '').padEnd(width)))
      .join('  ')
      .trimEnd();
  return all.map(line);
}

/** A part of an address without its escapes; as it stands if they are malformed. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
