import { oneLine, short } from '../../../lib/text.ts';
import type { Claim, Script } from '../script.ts';

type MemberClaim = Extract<Claim, { readonly kind: 'member' }>;

/** A brace that would begin a template in `.http` and Hurl files: their runners put values and code in its place. */
export const TEMPLATE = /\{(?=\{)/g;

/** An id in small letters and digits, with this sign for everything else. */
export const slugOf = (id: string, sign: '-' | '_'): string =>
  id
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join(sign);

/** What goes wrong, for an assertion that fails: one short line. */
export const saidOf = ({ expected }: Script): string => short(expected.replace(/\s+/g, ' '), 300);

/** First digit of the status that an answer has to have. */
export const STATUS_CLASS = { taken: 2, refused: 4, any: 0 } as const;

/** What a file says first, as comments: what goes wrong, what was asked for and seen, and how it is run. Each element is one line. */
export function headLines(
  { cause, requirement, expected, observed, notes }: Script,
  run: readonly string[],
): readonly string[] {
  return [
    oneLine(cause.title),
    `Cause: ${oneLine(cause.id)}`,
    `Required: ${oneLine(requirement)}`,
    `Expected: ${oneLine(expected)}`,
    `Observed: ${oneLine(observed)}`,
    '',
    ...notes,
    'ERS_BASE_URL, ERS_USERNAME and ERS_PASSWORD name the deployment and hold the login. Ids that it gives are taken',
    'from its answers, names are those of the run or made anew. What the file made is removed at the end.',
    ...run,
  ].map((text) => `# ${text.replace(TEMPLATE, '{ ')}`.trimEnd());
}

/** A text with its line breaks escaped, as a script has them. */
export const onOneLine = (text: string): string =>
  text.replace(/[\r\n\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A path in which nothing begins a template. */
export const inPath = (path: string): string => path.replaceAll('{', '%7B').replaceAll('}', '%7D');

/** A body or a header as it was sent, in which nothing begins a template or a line of its own: what a target shows may be in it. */
export function untemplated(text: string): string {
  if (/^\s*</.test(text))
    return text.replace(TEMPLATE, '&#123;').replace(/[\r\n]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return text.replace(TEMPLATE, '\\u007b').replace(/[\r\n]+/g, ' ');
}

/** A regular expression for the JSON member that a claim names, in the common part of all dialects. */
export function memberPattern({ member, value, entry, isNot }: MemberClaim, blank = '\\s*'): string {
  const quoted = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const record = entry === undefined ? '' : `"id"${blank}:${blank}"${entry}"[^{}]*`;
  const told = value === undefined ? '' : `${blank}${quoted(JSON.stringify(value))}`;
  return `${record}"${quoted(member)}"${blank}:${told}${isNot ? `${blank}[,}]` : ''}`;
}
