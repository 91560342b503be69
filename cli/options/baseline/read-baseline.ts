import { type Document, isMap, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import type * as z from 'zod';
import { checks, RETIRED_CHECKS } from '../../../conformance/catalog.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { OPS } from '../../../lib/contract/operations.ts';
import { requirements } from '../../../lib/contract/requirements.ts';
import { defined } from '../../../lib/defined.ts';
import { didYouMean } from '../../../lib/did-you-mean.ts';
import { messageOf, UsageError } from '../../../lib/errors.ts';
import { fits, isPattern } from '../../../lib/glob.ts';
import { namesIn } from '../../../lib/judge/conformance/baseline/known.ts';
import { requirementPattern } from '../../../lib/judge/conformance/cause/failure.ts';
import { plainText } from '../../../lib/plain-file.ts';
import { type Baseline, BaselineEntry, BaselineShown } from '../../../lib/records/baseline.ts';
import { DifferenceKind } from '../../../lib/records/vocabulary.ts';

const CHECKS = checks.map(({ id }) => id);

/** An entry that names the checks of today: an older one may name some that others took the place of. */
function ofToday(entry: BaselineEntry): BaselineEntry {
  const names = namesIn(entry.check);
  if (names === undefined || !names.some((name) => name in RETIRED_CHECKS)) return entry;
  return { ...entry, check: [...new Set(names.flatMap((name) => RETIRED_CHECKS[name] ?? [name]))] };
}

const familyNames = () => Object.keys(FAMILIES);
const patterns = () => [
  ...new Set(
    requirements().flatMap(({ id: requirement }) => [
      requirement,
      ...familyNames().map((family) => requirementPattern({ requirement, family })),
    ]),
  ),
];

/** A name that none of the known ones fits, with the one that was probably meant. */
function unknownAmong(names: readonly string[] | undefined, known: readonly string[], what: string) {
  const isKnown = (name: string) => known.some((one) => one === name || (isPattern(name) && fits(name, one)));
  const wrong = names?.find((name) => !isKnown(name));
  return wrong === undefined ? undefined : `no ${what} ${wrong}${didYouMean(wrong, known)}`;
}

function unknownName(entry: BaselineEntry): { readonly member: string; readonly text: string } | undefined {
  const found = [
    { member: 'requirement', text: unknownAmong(namesIn(entry.requirement), patterns(), 'requirement') },
    { member: 'operation', text: unknownAmong(namesIn(entry.operation), Object.keys(OPS), 'operation') },
    { member: 'kind', text: unknownAmong(namesIn(entry.kind), DifferenceKind.options, 'kind of difference') },
    { member: 'check', text: unknownAmong(namesIn(entry.check), CHECKS, 'check') },
    { member: 'family', text: unknownAmong(namesIn(entry.family), familyNames(), 'family') },
    { member: 'unproven', text: unknownAmong(namesIn(entry.unproven), familyNames(), 'family') },
  ];
  return found.flatMap(({ member, text }) => (text === undefined ? [] : [{ member, text }]))[0];
}

const FORM =
  'a list of entries with requirement, operation, kind and subject of a failure, check or family (or some of them), expires (YYYY-MM-DD), reason, owner and link';

/** A list of expected failures is read by people: above this it is something else. */
const LONGEST_BYTES = 1024 * 1024;
const MOST_ENTRIES = 5_000;
/** Aliases of YAML that one entry may use: enough for a shared reason, too few to blow up. */
const MOST_ALIASES = 20;

function malformed(file: string, line: number | undefined, what: string): UsageError {
  const place = line === undefined ? file : `${file}, line ${line}`;
  return new UsageError('bad-baseline', `${place}: ${what}`, { hint: `a baseline is ${FORM}` });
}

/** The node that a fault of an entry is about: the member, or the entry where the member is missing. */
function nodeOf(entry: unknown, path: readonly PropertyKey[]): ParsedNode | undefined {
  if (!isMap(entry)) return entry as ParsedNode | undefined;
  const pair = entry.items.find(({ key }) => String(key) === String(path[0]));
  return (pair?.key ?? entry) as ParsedNode;
}

function textOf(file: string): string {
  try {
    return plainText(file, LONGEST_BYTES);
  } catch (cause) {
    throw new UsageError('no-baseline', `cannot read the baseline ${file}: ${messageOf(cause)}`, { cause });
  }
}

function parsed(file: string, lines: LineCounter): Document.Parsed {
  try {
    return parseDocument(textOf(file), { lineCounter: lines });
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw malformed(file, undefined, `not readable as YAML: ${messageOf(cause)}`);
  }
}

const NEEDED: Readonly<Record<string, string>> = {
  ...{ reason: 'a text', owner: 'a text', link: 'a text', variant: 'a text' },
  expires: 'a date such as 2026-12-31, the last day on which the failure is expected',
  answers: 'a status such as 400, or a list of them,',
};
const MEMBERS = Object.keys(BaselineEntry.shape);

function issueText({ code, message, path, ...issue }: z.core.$ZodIssue): string {
  const name = String(path[0] ?? '');
  const needed = NEEDED[name] ?? 'a name, or a list of names';
  if (code === 'unrecognized_keys') {
    const [wrong = ''] = (issue as { readonly keys?: readonly string[] }).keys ?? [];
    return `no such member${didYouMean(wrong, MEMBERS)}`;
  }
  if (code === 'custom') return message;
  return code === 'invalid_type' && issue.input === undefined ? `missing; it is ${needed}` : `${needed} is needed`;
}

/** What the parser of YAML says, unless it takes a star for an alias. */
function yamlText(message: string, line: string): string {
  const star = /(?:^|[\s[,:-])(\*\S*)/.exec(line)?.[1];
  return /alias/i.test(message) && star !== undefined
    ? `put the star in quotes: "${star.replace(/[\],]+$/, '')}"`
    : `not readable as YAML: ${message.split('\n')[0] ?? ''}`;
}

function faultOf(value: unknown): { readonly path: readonly PropertyKey[]; readonly text: string } | undefined {
  const result = BaselineEntry.safeParse(value, { reportInput: true });
  if (result.success) {
    const unknown = unknownName(ofToday(result.data));
    return unknown === undefined ? undefined : { path: [unknown.member], text: unknown.text };
  }
  const { issues } = result.error;
  // A misspelled member says more than the one that is missing for it.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  const path = unknown.length > 0 ? unknown : (issue?.path ?? []);
  return { path, text: issue === undefined ? 'malformed' : issueText(issue) };
}

/** Reads a file of expected failures. Throws `UsageError` that names the line of whatever is wrong with it. */
export function readBaseline(file: string): Baseline {
  const lines = new LineCounter();
  const document = parsed(file, lines);
  const lineOf = (node: ParsedNode | null | undefined) =>
    node?.range === undefined || node.range === null ? undefined : lines.linePos(node.range[0]).line;
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line } = lines.linePos(fault.pos[0]);
    throw malformed(file, line, yamlText(fault.message, textOf(file).split('\n')[line - 1] ?? ''));
  }
  const root = document.contents;
  if (root === null) return { file, entries: [] };
  if (!isSeq(root)) throw malformed(file, lineOf(root as ParsedNode), 'this is not a list');
  if (root.items.length > MOST_ENTRIES) throw malformed(file, undefined, `more than ${MOST_ENTRIES} entries`);
  const seen = new Set<string>();
  let least: BaselineShown | undefined;
  const entries = root.items.flatMap((item): Baseline['entries'] => {
    const node = item as ParsedNode;
    let value: unknown;
    try {
      value = node.toJS(document, { maxAliasCount: MOST_ALIASES });
    } catch (cause) {
      throw malformed(file, lineOf(node), yamlText(messageOf(cause), String(node)));
    }
    if (isMap(node) && (node.has('shown') || node.has('undecided'))) {
      const read = BaselineShown.safeParse(value);
      if (!read.success)
        throw malformed(file, lineOf(node), 'an entry of shown, of and undecided holds three whole numbers');
      least = read.data;
      return [];
    }
    const wrong = faultOf(value);
    if (wrong !== undefined) {
      const member = wrong.path.length === 0 ? 'entry' : String(wrong.path[0]);
      throw malformed(file, lineOf(nodeOf(node, wrong.path)), `${member}: ${wrong.text}`);
    }
    const entry = ofToday(BaselineEntry.parse(value));
    const { reason: _reason, owner: _owner, link: _link, expires: _expires, unproven: _unproven, ...named } = entry;
    const key = Object.values(named).flat().join(' ');
    if (seen.has(key)) throw malformed(file, lineOf(node), `${key} is there twice`);
    seen.add(key);
    return [{ ...entry, ...defined({ line: lineOf(node) }) }];
  });
  return { file, entries, ...defined({ least }) };
}
