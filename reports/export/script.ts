import type { Cause } from '../../lib/records/answer.ts';
import { oneLine, short } from '../../lib/text.ts';

/** How a request has to be answered: with 2xx, with 4xx, or in any way. */
export type Expected = 'taken' | 'refused' | 'any';

/** One request of a file. Ids in path and body are those of the run: a format puts a variable in the place of each that is captured. */
export interface Step {
  readonly method: string;
  /** Path and query, relative to the base URL. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  readonly expects: Expected;
  /** Id that the run was given for the record that this makes, or `TOKEN`; the file captures its own from `Location`, or the token. */
  readonly creates?: string;
  /** Where that id is, if not in `Location`: at this place of the list that the answer shows, from 0. */
  readonly from?: number;
  /** Name of the record that it is, if the file removes that: a deployment may show any others, whatever the filter asks for. */
  readonly name?: string;
  /** Asked again, once a second and half a minute at most, until the answer holds this text. */
  readonly until?: string;
  /** The links to next pages are followed, and the answer is the text of all pages. */
  readonly walks?: true;
}

/** What the client sends with each request: some deployments refuse what lacks it. */
export const AS_CLIENT = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json'],
] as const;

export const MOST_PAGES = 500;

export const MOST_ASKED = 30;

/** Stands for the CSRF token where the deployment demanded one: it is fetched once, and goes with each write. */
export const TOKEN = 'csrf-token-of-the-run';
export const TOKEN_HEADER = 'X-CSRF-TOKEN';

export type Claim =
  /** The texts stand in the body, in this order; or not all of them do. */
  | { readonly kind: 'holds'; readonly texts: readonly string[]; readonly isThere: boolean }
  /** The record, or the list entry of this id, shows a member with this value, or at all without a value. `isNot`: with another one. */
  | {
      readonly kind: 'member';
      readonly member: string;
      readonly value?: unknown;
      readonly entry?: string;
      readonly isNot?: true;
    }
  | { readonly kind: 'header'; readonly name: string };

/** A cause as something that can be run: set-up, the request, what is claimed of its answer, clean-up. */
export interface Script {
  readonly cause: Cause;
  readonly requirement: string;
  readonly expected: string;
  readonly observed: string;
  /** What the file does otherwise than the run did. */
  readonly notes: readonly string[];
  readonly setUp: readonly Step[];
  readonly request: Step;
  readonly claims: readonly Claim[];
  readonly cleanUp: readonly Step[];
  readonly variables: ReadonlyMap<string, string>;
  /** What all names of the run begin with: a format that can make names puts others of the same form in their place. */
  readonly prefix: string;
}

/** Variable that holds what the names of one run of a file begin with. */
const NAMES = 'names';

/** True if the names of the run stand in the script as they are: not in other letters, and not in part, as a filter may ask for it. */
function hasWholeNames({ setUp, request, claims, prefix }: Script): boolean {
  const text = JSON.stringify([setUp, request, claims]);
  const folded = text.toLowerCase();
  const parts = [...request.path.matchAll(/[?&]filter=[^&]*\.([^&]*)/g)].map(([, part = '']) => part.toLowerCase());
  const names = folded.match(new RegExp(`${prefix}\\w*`, 'g')) ?? [];
  const isPart = (part: string) => !part.includes(prefix) && names.some((name) => name.includes(part));
  return names.length === text.split(prefix).length - 1 && !parts.some(isPart);
}

/** The script with names that each run of the file makes anew, so that what an earlier run left is in the way of none. */
export const withNames = (script: Script): Script =>
  hasWholeNames(script) ? { ...script, variables: new Map([...script.variables, [script.prefix, NAMES]]) } : script;

export const captured = ({ variables }: Script): readonly string[] =>
  [...variables.values()].filter((name) => name !== NAMES);

type Part = { readonly text: string } | { readonly variable: string };

/** Ids with fewer characters may be any other number: they count in the segments of a path alone. */
const LEAST_ID = 6;

function patternOf(id: string): string {
  const escaped = id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return id.length < LEAST_ID ? `(?<=\\/)${escaped}(?=$|[/?])` : escaped;
}

/** A text in parts, with a variable for each id that is captured. */
export function partsOf(text: string, variables: Script['variables']): readonly Part[] {
  const ids = [...variables.keys()].sort((one, other) => other.length - one.length);
  if (ids.length === 0) return [{ text }];
  const pattern = new RegExp(`(${ids.map(patternOf).join('|')})`);
  const parts = text.split(pattern).filter((part) => part !== '');
  return parts.map((part) => {
    const variable = variables.get(part);
    return variable === undefined ? { text: part } : { variable };
  });
}

/** A text in which each captured id is written as the format writes a variable. */
export function withVariables(text: string, script: Pick<Script, 'variables'>, written: (name: string) => string) {
  const parts = partsOf(text, script.variables);
  return parts.map((part) => ('text' in part ? part.text : written(part.variable))).join('');
}

/** The same in `.http` and Hurl files. */
export const braced = (text: string, script: Pick<Script, 'variables'>): string =>
  withVariables(untemplated(text), script, (name) => `{{${name}}}`);

type MemberClaim = Extract<Claim, { readonly kind: 'member' }>;

/** A brace that would begin a template in `.http` and Hurl files: their runners put values and code in its place. */
export const TEMPLATE = /\{(?=\{)/g;

/** A body that stands in a file as it was sent. Any other line may be one that a runner acts on: a test, a section, the name of a file. */
export const STRUCTURED = /^\s*(?:\{|<[?\w])/;

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

/** The same as `.http` and Hurl files assert it; nothing where any status will do. */
export const statusWithin = (expects: Expected, query: string): readonly string[] =>
  expects === 'any' ? [] : [`${query} >= ${STATUS_CLASS[expects]}00`, `${query} < ${STATUS_CLASS[expects] + 1}00`];

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

export const inPath = (path: string): string => path.replaceAll('{', '%7B').replaceAll('}', '%7D');

/** A body or a header as it was sent, in which nothing begins a template or a line of its own: what a target shows may be in it. */
export function untemplated(text: string): string {
  if (/^\s*</.test(text))
    return text.replace(TEMPLATE, '&#123;').replace(/[\r\n]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return text.replace(TEMPLATE, '\\u007b').replace(/[\r\n]+/g, ' ');
}

export const entryPattern = (name: string, blank?: string): string =>
  memberPattern({ kind: 'member', member: 'name', value: name, entry: '([^"]*)' }, blank);

/** A regular expression for the JSON member that a claim names, in the common part of all dialects. */
export function memberPattern({ member, value, entry, isNot }: MemberClaim, blank = '\\s*'): string {
  const quoted = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const record = entry === undefined ? '' : `"id"${blank}:${blank}"${entry}"[^{}]*`;
  const told = value === undefined ? '' : `${blank}${quoted(JSON.stringify(value))}`;
  return `${record}"${quoted(member)}"${blank}:${told}${isNot ? `${blank}[,}]` : ''}`;
}
