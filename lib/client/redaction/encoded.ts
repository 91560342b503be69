/** Named character references of every printable ASCII character that has one, each with its character; some have two. */
const NAMED: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'amp& lt< gt> quot" apos\' excl! num# dollar$ percnt% lpar( rpar) ast* plus+ comma, period. sol/',
    'colon: semi; equals= quest? commat@ lsqb[ bsol\\ rsqb] hat^ lowbar_ grave` lcub{ verbar| rcub}',
    'lbrack[ rbrack] lbrace{ rbrace} midast* vert| underbar_',
  ].flatMap((line) => line.split(' ').map((name) => [name.slice(0, -1), name.slice(-1)] as const)),
);

/** Hexadecimal digits of the groups stand for the character; any other token stands for its last character, or for a name. */
const ESCAPES = [
  String.raw`'\\''`, // a quote in a quoted word of a shell
  '(?:%[0-9a-f]{2})+',
  String.raw`\\u[0-9a-f]{4}|\\u\{[0-9a-f]{1,6}\}|\\x[0-9a-f]{2}`,
  String.raw`&#x[0-9a-f]{1,8};?|&#\d{1,9};?`,
  `&(?:${Object.keys(NAMED).join('|')});|&(?:amp|lt|gt|quot)`,
  // A backslash before the first character of another token is that token's.
  String.raw`\\(?!%[0-9a-f]{2}|&#|&[a-z]+;)[!-/:-@[-\`{-~]`,
];
const TOKEN = new RegExp(ESCAPES.join('|'), 'gi');

/** Escapes inside of escapes that are looked through: more than any chain of programs writes. */
const DEEPEST = 16;

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');

/** Characters that a run of percent escapes stands for, each with the length of its escapes: UTF-8, or bytes where it is none. */
function percentDecoded(run: string): readonly (readonly [string, number])[] {
  const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
  const found: [string, number][] = [];
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
    const text = bytes.subarray(at, at + length).toString('utf8');
    const isWhole = length > 1 && [...text].length === 1 && text !== '\ufffd';
    const taken = isWhole ? length : 1;
    found.push([isWhole ? text : String.fromCharCode(lead), taken * '%00'.length]);
    at += taken;
  }
  return found;
}

function meaning(token: string): string {
  const code = /^(?:\\[ux]|&#x)\{?([0-9a-f]+)/i.exec(token)?.[1];
  if (code !== undefined) return character(Number.parseInt(code, 16));
  if (token.startsWith('&#')) return character(Number.parseInt(token.slice(2), 10));
  if (token.startsWith('&')) return NAMED[token.slice(1).replace(';', '').toLowerCase()] ?? '';
  return token.slice(-1);
}

/** A text without some layers of escapes, and the place of each of its characters, and its end, in the original. */
interface Layer {
  readonly text: string;
  readonly origins?: Uint32Array;
}

const originOf = ({ origins }: Layer, at: number): number => origins?.[at] ?? at;

/** The text with one more layer of escapes taken off: none is shorter than what it stands for. */
function unescaped(layer: Layer): Layer {
  const { text } = layer;
  const parts: string[] = [];
  const origins = new Uint32Array(text.length + 1);
  let length = 0;
  let from = 0;
  const add = (part: string, step: 0 | 1) => {
    for (let at = 0; at < part.length; at += 1) origins[length + at] = originOf(layer, from + step * at);
    parts.push(part);
    length += part.length;
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    add(text.slice(from, index), 1);
    from = index;
    const meant = token.startsWith('%') ? percentDecoded(token) : [[meaning(token), token.length] as const];
    for (const [value, taken] of meant) {
      add(value, 0);
      from += taken;
    }
  }
  add(text.slice(from), 1);
  origins[length] = originOf(layer, text.length);
  return { text: parts.join(''), origins };
}

type Range = readonly [start: number, end: number];

/** Shorter texts are looked for as they are; longer ones in any case of their letters. */
const FOLDED_FROM = 8;
const folded = (text: string) => text.replaceAll('\u0130', 'I').toLowerCase();

/** Fewer other characters than these say nothing by themselves. */
const TELLING = 4;

/** The text with any run of quotes and backslashes where it has one, as an escape may remove some. Undefined if it has little else. */
function looseForm(text: string): RegExp | undefined {
  const core = text.replace(/^[\\'"]+|[\\'"]+$/g, '');
  if (!/[\\']/.test(text) || core.replace(/[\\'"]/g, '').length < TELLING) return undefined;
  const parts = core.split(/([\\'"]+)/).map((part, at) => {
    if (at % 2 === 1) return /['"]/.test(part) ? `[\\\\'"]+` : `[\\\\'"]*`;
    // Not where a part begins: a run of backslashes before it would be tried from each of its places.
    return part.replace(/[!-/:-@[-`{-~]/g, (sign, place: number) => `${place === 0 ? '' : '\\\\*'}\\${sign}`);
  });
  return new RegExp(parts.join(''), text.length < FOLDED_FROM ? 'g' : 'gi');
}

/** A secret as it is, as a form or a shell writes it, as UTF-8 that was read as bytes, and with its own escapes taken off. */
export function formsOf(secrets: readonly string[]) {
  const all = new Set<string>();
  const loose: RegExp[] = [];
  for (const secret of secrets) {
    for (let text = secret; ; ) {
      loose.push(...[looseForm(text)].filter((form) => form !== undefined));
      const quoted = text.replaceAll("'", String.raw`'\''`);
      for (const form of [text, text.replaceAll(' ', '+'), Buffer.from(text).toString('latin1'), quoted]) all.add(form);
      const next = unescaped({ text }).text;
      if (next === text || next.length < 4) break;
      text = next;
    }
  }
  const long = [...all].filter(({ length }) => length >= FOLDED_FROM);
  return {
    exact: [...all].filter(({ length }) => length < FOLDED_FROM),
    folded: [...new Set(long.map(folded))],
    /** Of secrets with quotes or backslashes: what a chain of escapes makes of these can be read in several ways. */
    loose,
  };
}

/** Share of a long secret from which on its beginning counts as the whole: a text that was cut may end within it. */
const TOLD_SHARE = 0.75;

const occurrences = (text: string, forms: readonly string[]): Range[] =>
  forms.flatMap((form) => {
    const found: Range[] = [];
    const begins = form.slice(0, Math.max(FOLDED_FROM, Math.ceil(form.length * TOLD_SHARE)));
    for (let at = text.indexOf(begins), end = 0; at !== -1; at = text.indexOf(begins, end)) {
      end = at + begins.length;
      while (end - at < form.length && text[end] === form[end - at]) end += 1;
      found.push([at, end]);
    }
    return found;
  });

const rangeOf = ({ 0: text, index }: RegExpExecArray): Range => [index, index + text.length];

/** Replaces secrets that stand in text, as they are or in escapes of any kind, whole or in part, also in escapes of escapes. */
export function withoutSecrets(text: string, forms: ReturnType<typeof formsOf>, replacement: string): string {
  const ranges: Range[] = [];
  let layer: Layer = { text };
  for (let depth = 0; ; depth += 1) {
    const held = layer.text;
    const loose = forms.loose.flatMap((form) => [...held.matchAll(form)].map(rangeOf));
    const found = [...occurrences(held, forms.exact), ...occurrences(folded(held), forms.folded), ...loose];
    for (const [start, end] of found) ranges.push([originOf(layer, start), originOf(layer, end)]);
    if (depth === DEEPEST || held.search(TOKEN) === -1) break;
    layer = unescaped(layer);
  }
  return replaceRanges(text, ranges, replacement);
}

function replaceRanges(text: string, ranges: readonly Range[], replacement: string): string {
  if (ranges.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (start >= from) parts.push(text.slice(from, start), replacement);
    from = Math.max(from, end);
  }
  return parts.join('') + text.slice(from);
}
