import { isMap } from 'yaml';
import type * as z from 'zod';
import { CHECK_IDS, RETIRED_CHECKS } from '../../../conformance/catalog.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { OPS } from '../../../lib/contract/operations.ts';
import { REQUIREMENT_SETS } from '../../../lib/contract/requirement-sets.ts';
import { requirements } from '../../../lib/contract/requirements.ts';
import { defined } from '../../../lib/defined.ts';
import { didYouMean } from '../../../lib/did-you-mean.ts';
import { fits, isPattern } from '../../../lib/glob.ts';
import { namesIn } from '../../../lib/judge/conformance/baseline/known.ts';
import { requirementPattern } from '../../../lib/judge/conformance/cause/failure.ts';
import { MIB } from '../../../lib/plain-file.ts';
import { type Baseline, BaselineEntry, BaselineShown } from '../../../lib/records/baseline.ts';
import { DifferenceKind } from '../../../lib/records/vocabulary.ts';
import { YamlFile } from '../../../lib/yaml-file.ts';

interface Wrong {
  readonly member: string;
  readonly text: string;
}

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

function unknownName(entry: BaselineEntry): Wrong | undefined {
  const known = {
    requirement: [patterns(), 'requirement'],
    operation: [Object.keys(OPS), 'operation'],
    kind: [DifferenceKind.options, 'kind of difference'],
    check: [CHECK_IDS, 'check'],
    family: [familyNames(), 'family'],
    unproven: [familyNames(), 'family'],
  } as const satisfies Partial<Record<keyof BaselineEntry, unknown>>;
  return (Object.keys(known) as (keyof typeof known)[]).flatMap((member) => {
    const [names, what] = known[member];
    const text = unknownAmong(namesIn(entry[member]), names, what);
    return text === undefined ? [] : [{ member, text }];
  })[0];
}

const WRITTEN = '`ers-harness conformance --update-baseline FILE` writes one';
const HINT =
  'a baseline is a list of entries with requirement, operation, kind and subject of a failure, check or family (or some of them), expires (YYYY-MM-DD), reason, owner and link';
/** A list of expected failures is read by people: above this it is something else. */
const MOST_ENTRIES = 5_000;
const NEEDED: Readonly<Record<string, string>> = {
  ...{ reason: 'a text', owner: 'a text', link: 'a text', variant: 'a text' },
  expires: 'a date such as 2026-12-31 (the last day on which the failure is expected)',
  answers: 'a status such as 400, or a list of them,',
};
const MEMBERS = Object.keys(BaselineEntry.shape);

/** What is wrong with an entry of another form. A misspelled member says more than the one that is missing for it. */
function malformed(issues: readonly z.core.$ZodIssue[]): Wrong {
  for (const issue of issues) {
    const [member = ''] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    if (member !== '') return { member, text: `no such member${didYouMean(member, MEMBERS)}` };
  }
  const { code, message, path, input } = issues[0] as z.core.$ZodIssue;
  const member = String(path[0] ?? 'entry');
  const needed = NEEDED[member] ?? 'a name, or a list of names';
  if (code === 'custom') return { member, text: message };
  return {
    member,
    text: code === 'invalid_type' && input === undefined ? `missing; it is ${needed}` : `${needed} is needed`,
  };
}

const BAD_SHOWN =
  'an entry of shown, of and undecided holds three whole numbers, and may name mode, depth and "requirements" (a text in quotes)';

/** Reads a file of expected failures. Throws `UsageError` that names the line of whatever is wrong with it. */
export function readBaseline(path: string): Baseline {
  const file = new YamlFile(path, { code: 'bad-baseline', mostBytes: MIB, hint: WRITTEN });
  if (file.items.length > MOST_ENTRIES) throw file.fault(null, `more than ${MOST_ENTRIES} entries`, HINT);
  const seen = new Set<string>();
  let least: BaselineShown | undefined;
  const entries = file.items.flatMap((node, at): Baseline['entries'] => {
    const value = file.plain(node);
    if (isMap(node) && (node.has('shown') || node.has('undecided'))) {
      const read = BaselineShown.safeParse(value);
      if (!read.success) throw file.fault(node, BAD_SHOWN, HINT);
      const wrong = unknownAmong(namesIn(read.data.requirements), Object.keys(REQUIREMENT_SETS), 'set of requirements');
      if (wrong !== undefined)
        throw file.fault(node, wrong, 'if a later version of ers-harness wrote it, use that one');
      least = read.data;
      return [];
    }
    const { data, error } = BaselineEntry.safeParse(value, { reportInput: true });
    const wrong = data === undefined ? malformed(error?.issues ?? []) : unknownName(ofToday(data));
    if (wrong !== undefined || data === undefined)
      throw file.fault(file.at([at, wrong?.member ?? '']), `${wrong?.member}: ${wrong?.text}`, HINT);
    const entry = ofToday(data);
    const { reason: _reason, owner: _owner, link: _link, expires: _expires, unproven: _unproven, ...named } = entry;
    const key = Object.values(named).flat().join(' ');
    if (seen.has(key)) throw file.fault(node, `${key} is there twice`, HINT);
    seen.add(key);
    return [{ ...entry, ...defined({ line: file.line(node) }) }];
  });
  return { file: path, entries, ...defined({ least }) };
}
