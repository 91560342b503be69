import { LineCounter, parseDocument } from 'yaml';
import { messageOf, UsageError } from '../../errors.ts';
import { jsonOf } from '../../json-text.ts';
import { plainText } from '../../plain-file.ts';
import { decoded } from '../../text.ts';

/** Lines that a flow collection takes at most: one that does not end by then is none. */
const LONGEST_FLOW = 500;

/** Brackets that are open after a line, quoted ones left out. */
function depthAfter(line: string, depth: number): number {
  let open = depth;
  for (const sign of line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '')) {
    if (sign === '[' || sign === '{') open += 1;
    if (sign === ']' || sign === '}') open -= 1;
  }
  return open;
}

/** Number of the line on which the collection that begins in this one ends; undefined if it ends here or is none. */
function endOfFlow(lines: readonly string[], from: number): number | undefined {
  if (!/^\s*(?:- )?[\w$-]+:\s+[[{]/.test(lines[from] ?? '')) return undefined;
  let depth = depthAfter(lines[from] ?? '', 0);
  if (depth <= 0) return undefined;
  for (let at = from + 1; at < lines.length && at <= from + LONGEST_FLOW; at += 1) {
    depth = depthAfter(lines[at] ?? '', depth);
    if (depth <= 0) return at;
  }
  return undefined;
}

/** Values of several lines, indented below the key that holds them; `endOf` tells the last line of one that begins here. */
function indented(text: string, endOf: (lines: readonly string[], from: number) => number | undefined): string {
  const lines = text.split('\n');
  for (let from = 0; from < lines.length; from += 1) {
    const end = endOf(lines, from);
    if (end === undefined) continue;
    const margin = ' '.repeat((/^\s*/.exec(lines[from] ?? '')?.[0].length ?? 0) + 2);
    for (let at = from + 1; at <= end; at += 1) lines[at] = margin + (lines[at] ?? '').trimStart();
    from = end;
  }
  return lines.join('\n');
}

const LONGEST_TEXT = 2000;

/** True if the text in these quotes is open after a line that begins outside or inside of it. */
function isOpenAfter(line: string, quote: string, isOpen: boolean): boolean {
  const bare = line.replace(quote === '"' ? /\\./g : /''/g, '');
  return (bare.split(quote).length % 2 === 0) !== isOpen;
}

/** Number of the line on which a text in quotes ends that begins in this one; undefined if none is open after it. */
function endOfQuotes(lines: readonly string[], from: number): number | undefined {
  const [, quote] = /^\s*(?:- )?[\w$-]+:\s+(["'])/.exec(lines[from] ?? '') ?? [];
  if (quote === undefined || !isOpenAfter(lines[from] ?? '', quote, false)) return undefined;
  const end = lines.findIndex((line, at) => at > from && !isOpenAfter(line, quote, true));
  return end === -1 || end > from + LONGEST_TEXT ? undefined : end;
}

const withoutTabs = (text: string, as: string): string =>
  text.replace(/^[ \t]+/gm, (blank) => blank.replaceAll('\t', as));

/** One-line texts that hold a colon and a blank, in quotes. */
const quoted = (text: string): string =>
  text.replace(
    /^(\s*(?:- )?[\w$-]+: +)([^\s'"[{|>&*!%@#`].*: .*)$/gm,
    (_, key: string, value: string) => key + JSON.stringify(value),
  );

/** The text as it is, and then in the forms in which strict readers may take it: each keeps what it says. */
function* readings(text: string): Generator<{ readonly text: string; readonly remark?: string }> {
  yield { text };
  // Before keys, a tab stands for few blanks; within a text, for as many as hold it inside.
  for (const blanks of ['  ', ' '.repeat(8)]) {
    const strict = indented(indented(withoutTabs(text, blanks), endOfQuotes), endOfFlow);
    yield { text: strict, remark: 'tabs and lines in brackets or quotes are indented as YAML does not allow' };
    yield { text: quoted(strict), remark: 'texts with a colon stand without quotes, which YAML does not allow' };
  }
}

/** A published definition of one family takes 50 KB, one of a whole product some MB. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Aliases that a definition may use: none that is published uses any. */
const MOST_ALIASES = 100;
/** Schemas within schemas: records of the product nest four deep. */
export const DEEPEST = 12;
/** Brackets that are open at one time, blanks before a line, and characters of a line of YAML. */
const [MOST_OPEN, WIDEST_MARGIN, LONGEST_LINE] = [500, 400, 50_000];
/** References that are followed in all: a definition may repeat itself without end. */
const MOST_FOLLOWED = 100_000;

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object's own members; nothing of anything else. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** Member of an object, its own alone. */
export const own = (value: unknown, name: string): unknown =>
  Object.hasOwn(objectOf(value), name) ? objectOf(value)[name] : undefined;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const refuse = (file: string, what: string, hint?: string, cause?: unknown) =>
  new UsageError('bad-definition', `${file}: ${what}`, { ...(hint === undefined ? {} : { hint }), cause });

/** True if nothing but paths stands among the paths: a tab that is read for too few blanks puts operations beside them. */
const hasPaths = (root: unknown): boolean =>
  Object.keys(objectOf(own(root, 'paths'))).every((path) => /^\s*(?:\/|x-)/.test(path));

/** The first reading of the text that is YAML, and has paths for paths if any has. Throws the mistake of the text as it is. */
function parse(file: string, text: string): { root: unknown; remarks: string[] } {
  // JSON without a mistake is read by the reader of JSON, which no depth harms.
  const json = text.trimStart().startsWith('{') ? jsonOf(text) : undefined;
  if (json !== undefined) return { root: json, remarks: [] };
  checkShape(file, text);
  let fault: UsageError | undefined;
  let odd: ReturnType<typeof parse> | undefined;
  for (const { text: reading, remark } of readings(text)) {
    const lines = new LineCounter();
    // Keys that are there twice are read, and looking for them takes hours in a wide file.
    const document = parseDocument(reading, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
    const [error] = document.errors;
    if (error === undefined) {
      const root: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
      const read = { root, remarks: remark === undefined ? [] : [`read all the same: ${remark}`] };
      if (hasPaths(root)) return read;
      odd ??= read;
    } else fault ??= refuse(file, `line ${lines.linePos(error.pos[0]).line}: ${error.message.split('\n')[0]}`);
  }
  if (odd === undefined) throw fault;
  return odd;
}

/** Throws for what takes a reader of YAML beyond its stack, or minutes. */
function checkShape(file: string, text: string): void {
  let depth = 0;
  for (const sign of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + ('[{'.includes(sign[0]) ? 1 : -1));
    if (depth > MOST_OPEN) throw refuse(file, `it nests more than ${MOST_OPEN} deep`);
  }
  for (const line of text.split('\n')) {
    if (line.length > LONGEST_LINE)
      throw refuse(file, `a line has ${line.length} characters, and at most ${LONGEST_LINE} are read`);
    const margin = /^(?:\s|[-?] )*/.exec(line)?.[0].length ?? 0;
    if (line.trim() !== '' && margin > WIDEST_MARGIN) throw refuse(file, 'it nests too deep');
  }
}

/** Looks at everything, without recursion: how deep it nests, where references lead. The first of listed examples becomes the example. */
function checkReferences(file: string, root: unknown): void {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MOST_OPEN) throw refuse(file, `it nests more than ${MOST_OPEN} deep`);
    const examples = own(value, 'examples');
    if (Array.isArray(examples)) Object.assign(value, { example: own(value, 'example') ?? examples[0] });
    const reference = own(value, '$ref');
    if (typeof reference === 'string' && !reference.startsWith('#/'))
      throw refuse(
        file,
        `it refers to ${reference.slice(0, 120)}`,
        'references to files and addresses are not followed: put everything into one file',
      );
    for (const each of Object.values(value)) open.push({ value: each, depth: depth + 1 });
  }
}

/** Gives the value, or what it refers to within the document. Throws `UsageError` for a reference to anywhere else. */
function resolver(file: string, root: Json): (value: unknown) => Json {
  let followed = 0;
  return (value) => {
    let at = objectOf(value);
    followed += 1;
    if (followed > MOST_FOLLOWED) throw refuse(file, `more than ${MOST_FOLLOWED} references have to be followed`);
    for (let steps = 0; ; steps += 1) {
      const reference = own(at, '$ref');
      if (typeof reference !== 'string') return at;
      if (steps > DEEPEST) throw refuse(file, `the reference ${reference.slice(0, 120)} goes round in a circle`);
      const names = reference
        .slice(2)
        .split('/')
        .map((name) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~'));
      const found = names.reduce<unknown>(own, root);
      if (found === undefined) throw refuse(file, `it refers to ${reference.slice(0, 120)}, which is not there`);
      at = objectOf(found);
    }
  };
}

/** Reads a definition in OpenAPI 3 or Swagger 2, YAML or JSON. Bounded; fetches nothing. Throws `UsageError` that names the file. */
export function readDefinition(file: string) {
  try {
    const { root, remarks } = parse(file, plainText(file, MOST_BYTES));
    const json = objectOf(root);
    const version = textOf(String(json['openapi'] ?? json['swagger'] ?? ''));
    if (!/^(?:2\.0|3\.\d)/.test(version))
      throw refuse(
        file,
        'it is no OpenAPI 3 and no Swagger 2',
        'its first line says so: openapi: 3.0.0, or swagger: "2.0"',
      );
    checkReferences(file, json);
    return { file, root: json, resolved: resolver(file, json), remarks };
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const what = cause instanceof RangeError ? 'it nests too deep' : messageOf(cause).split('\n')[0];
    throw refuse(file, `it cannot be read: ${what}`, undefined, cause);
  }
}
export type Definition = ReturnType<typeof readDefinition>;
