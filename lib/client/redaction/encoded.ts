/** Named character references of every printable ASCII character that has one. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  lpar: '(',
  rpar: ')',
  ast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  equals: '=',
  quest: '?',
  commat: '@',
  lsqb: '[',
  bsol: '\\',
  rsqb: ']',
  hat: '^',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  verbar: '|',
  rcub: '}',
  // Second names of the same characters.
  lbrack: '[',
  rbrack: ']',
  lbrace: '{',
  rbrace: '}',
  midast: '*',
  vert: '|',
  underbar: '_',
};

/** One character in an escaped form: percent, `\u`, character reference, or a backslash before it; also escaped more than once. */
const TOKEN = new RegExp(
  [
    '%(?:25){0,3}[0-9a-f]{2}',
    String.raw`\\{1,4}u[0-9a-f]{4}`,
    String.raw`&(?:amp;){0,2}#(?:x[0-9a-f]{1,8}|\d{1,8});?`,
    `&(?:amp;){0,2}(?:${Object.keys(NAMED).join('|')});`,
    String.raw`\\{1,8}[\\/"']`,
  ].join('|'),
  'gi',
);

/** Text without its escapes; `starts[n]` is where the n-th character of it begins in the original. */
interface Decoded {
  readonly text: string;
  readonly starts: readonly number[];
}

/** Code of a character reference; beyond Unicode it stands for nothing. */
function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** The character, or for a percent escape the byte, that a token stands for. `once`: `%25` stands for a percent sign. */
function characterOf(token: string, once: boolean): string {
  const lower = token.toLowerCase();
  if (lower.startsWith('%'))
    return String.fromCharCode(Number.parseInt(once ? lower.slice(1, 3) : lower.slice(-2), 16));
  const reference = /#(x?)([0-9a-f]+);?$/.exec(lower);
  if (lower.startsWith('&') && reference !== null) {
    return character(Number.parseInt(reference[2] ?? '', reference[1] === 'x' ? 16 : 10));
  }
  if (lower.startsWith('&')) return NAMED[/([a-z]+);$/.exec(lower)?.[1] ?? ''] ?? '';
  return /u[0-9a-f]{4}$/.test(lower) ? String.fromCharCode(Number.parseInt(lower.slice(-4), 16)) : token.slice(-1);
}

/** Takes the escapes out of text; every byte of a percent escape is a character of its own. */
function decode(text: string, once: boolean): Decoded {
  const starts: number[] = [];
  let decoded = '';
  let from = 0;
  const plain = (end: number) => {
    for (let at = from; at < end; at += 1) starts.push(at);
    decoded += text.slice(from, end);
  };
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const taken = once && token.startsWith('%') ? token.slice(0, 3) : token;
    plain(match.index);
    const value = characterOf(token, once);
    for (let unit = 0; unit < value.length; unit += 1) starts.push(match.index);
    decoded += value;
    from = match.index + taken.length;
  }
  plain(text.length);
  return { text: decoded, starts };
}

/** A secret as decoded text shows it: as it is, and as the bytes of UTF-8 that percent escapes stand for. */
const formsOf = (secret: string) => [...new Set([secret, Buffer.from(secret).toString('latin1')])];

/** Replaces secrets that stand in text in an escaped form, whole or in part, character by character. */
export function withoutEncoded(text: string, secrets: readonly string[], replacement: string): string {
  if (text.search(TOKEN) === -1) return text;
  let held = text;
  for (const once of [false, true]) {
    const { text: decoded, starts } = decode(held, once);
    const found: [number, number][] = [];
    for (const secret of secrets.flatMap(formsOf)) {
      for (let at = decoded.indexOf(secret); at !== -1; at = decoded.indexOf(secret, at + secret.length)) {
        found.push([starts[at] ?? 0, starts[at + secret.length] ?? held.length]);
      }
    }
    held = replaceRanges(held, found, replacement);
  }
  return held;
}

function replaceRanges(text: string, ranges: readonly (readonly [number, number])[], replacement: string): string {
  let held = '';
  let from = 0;
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (end <= from) continue;
    held += start >= from ? text.slice(from, start) + replacement : '';
    from = end;
  }
  return held + text.slice(from);
}
