/** What a target was seen to take as the text of one member. The specification shows no alphabet, no length and no form. */
export interface TextDomain {
  /** Kinds of characters that it refused, each by itself: see `kindOf`. */
  readonly refused: readonly string[];
  /** Characters of the longest text that it took; null if it refused none for its length. */
  readonly longest: number | null;
  /** `base64`: only the Base64 text of a style sheet was taken; `reference`: only the id of a record that is there. */
  readonly form: 'text' | 'base64' | 'reference';
}

export const ANY_TEXT: TextDomain = { refused: [], longest: null, form: 'text' };

/** Characters beyond ASCII that stand for all of their kind, by the name of the kind. */
const BEYOND_ASCII: Readonly<Record<string, string>> = {
  'letters beyond ASCII': 'é',
  'combining marks': 'e\u0301',
  'Han characters': '網',
  'supplementary characters': '😀',
};

/** Kind of a character: itself if it is a blank or a sign of ASCII; undefined for the letters and digits of ASCII. */
function kindOf(character: string): string | undefined {
  if (/^[A-Za-z0-9]$/.test(character)) return undefined;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return character;
  if (code > 0xffff) return 'supplementary characters';
  if (/^\p{M}$/u.test(character)) return 'combining marks';
  return /^\p{Script=Han}$/u.test(character) ? 'Han characters' : 'letters beyond ASCII';
}

/** Kinds of characters that checks write, those of usual names first. */
export const KINDS: readonly string[] = [
  ...' _-.()\n\t',
  ...`<>&"'%+*,;|/\\:@#$!?=~^[]{}\``,
  ...Object.keys(BEYOND_ASCII),
];

/** A text that holds one character of each kind, with a letter at both ends. */
export const textOfKinds = (kinds: readonly string[]): string =>
  `a${kinds.map((kind) => `${BEYOND_ASCII[kind] ?? kind}b`).join('')}`;

/** Text as the Base64 form of a style sheet, which is what published definitions ask of such members. */
export const asStyleSheet = (text: string): string => Buffer.from(`/* ${text} */`, 'utf8').toString('base64');

const isStyleSheet = (text: string): boolean => Buffer.from(text, 'base64').toString('utf8').startsWith('/*');

/** True if the member is known to take the text as it is, or nothing speaks against it. */
export function takesText({ refused, longest, form }: TextDomain, text: string): boolean {
  if (form === 'reference') return false;
  if (form === 'base64') return isStyleSheet(text);
  const characters = [...text];
  if (longest !== null && characters.length > longest) return false;
  return refused.length === 0 || !characters.some((character) => refused.includes(kindOf(character) ?? ''));
}

/** The text in the nearest form that the member takes: without the characters that it refuses, and no longer than its longest. */
export function fitText(domain: TextDomain, text: string): string {
  if (takesText(domain, text)) return text;
  const { refused, longest, form } = domain;
  if (form === 'base64') return asStyleSheet(text);
  const kept = [...text].filter((character) => !refused.includes(kindOf(character) ?? ''));
  return (
    kept
      .slice(0, longest ?? kept.length)
      .join('')
      .trim() || 'text'
  );
}
