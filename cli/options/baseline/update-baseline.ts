import { existsSync, writeFileSync } from 'node:fs';
import { type Document, isMap, isSeq, type Node, parseDocument } from 'yaml';
import { defined } from '../../../lib/defined.ts';
import { fits } from '../../../lib/glob.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { judgeBaseline } from '../../../lib/judge/conformance/baseline/judge-baseline.ts';
import { answeredStatus, entryName, expects, namesIn } from '../../../lib/judge/conformance/baseline/known.ts';
import { requirementPattern, subjectGroup } from '../../../lib/judge/conformance/cause/failure.ts';
import { seesLess, shownOfAll } from '../../../lib/judge/conformance/coverage.ts';
import { narrowingOf } from '../../../lib/judge/scope.ts';
import { MIB, plainText } from '../../../lib/plain-file.ts';
import type { Cause } from '../../../lib/records/answer.ts';
import type { Baseline, BaselineEntry, BaselineShown } from '../../../lib/records/baseline.ts';
import { resultKey } from '../../../lib/records/conformance.ts';
import type { ConformanceReport, Report, ResultReport } from '../../../lib/records/report.ts';
import { runOptions } from '../../../lib/records/run-options.ts';
import { counted, oneLine, some } from '../../../lib/text.ts';
import { writing } from '../../output/output.ts';
import { readBaseline } from './read-baseline.ts';

/** How long a failure is expected that nobody has said anything about yet. */
const GRACE_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

const HEADER = ` Failures that are expected, one entry per cause and requirement. Give each a reason, an owner and a link.\n`;

const one = <T>(names: readonly T[]): T | T[] | undefined => (names.length < 2 ? names[0] : [...names]);

/** Families of a new entry: `*` where the whole table was checked and the failures show in every family that decides them. */
function familiesOf(own: readonly ResultReport[], part: ConformanceReport, narrowed: boolean) {
  const here = [...new Set(own.map(({ family }) => family))];
  const checks = new Set(own.map(({ checkId }) => checkId));
  const passed = part.results.some(
    ({ checkId, family, verdict }) => checks.has(checkId) && verdict === 'pass' && !here.includes(family),
  );
  return narrowed || passed || here.length < 2 ? one(here) : '*';
}

type Named = Pick<BaselineEntry, 'requirement' | 'operation' | 'kind' | 'subject' | 'answers' | 'check' | 'family'>;

/** An entry made by an earlier update for failures like these: it grows instead of getting a neighbor. */
function isLike(entry: BaselineEntry, own: Named): boolean {
  const shares = (names: BaselineEntry['subject'], others: BaselineEntry['subject']) =>
    namesIn(names)?.some((name) => namesIn(others)?.includes(name)) ?? false;
  const groups = namesIn(own.subject)?.map(subjectGroup);
  return (
    entry.variant === undefined &&
    shares(entry.requirement, own.requirement) &&
    shares(entry.operation, own.operation) &&
    shares(entry.kind, own.kind) &&
    shares(namesIn(entry.subject)?.map(subjectGroup), groups)
  );
}

/** An entry that expects these failures too; undefined if that takes names of two kinds: each would be expected with each, seen or not. */
function grown(entry: BaselineEntry, own: Named): BaselineEntry | undefined {
  const gains = (Object.keys(own) as (keyof Named)[]).flatMap((key) => {
    const [names, more] = [[entry[key] ?? []].flat(), [own[key] ?? []].flat()];
    const isNamed = more.every((name) => names.some((pattern) => fits(String(pattern), String(name))));
    return entry[key] === undefined || isNamed ? [] : [[key, one([...new Set([...names, ...more])])] as const];
  });
  return gains.length > 1 ? undefined : { ...entry, ...Object.fromEntries(gains) };
}

function example({ title }: Cause, [first]: readonly ResultReport[]): string {
  const { family = '', expected = '', observed = '' } = first ?? {};
  return ` ${oneLine(title)}\n For example in ${family}: expected ${oneLine(expected, 120)}; observed ${oneLine(observed, 160)}`;
}

function documentOf(file: string): Document {
  const document = parseDocument(existsSync(file) ? plainText(file, MIB) : '[]');
  if (isSeq(document.contents) && document.contents.items.length === 0) {
    document.contents.flow = false;
    document.commentBefore ??= HEADER.trimEnd();
  }
  if (document.contents === null) document.contents = document.createNode([]) as never;
  return document;
}

/** Merges the failures of a report into a baseline file; entries that the run did not decide stay, those of which all passes go. */
export function updateBaseline(file: string, report: Report): BaselineUpdate {
  const read: Baseline = existsSync(file) ? readBaseline(file) : { file, entries: [] };
  const before = read.entries;
  const part = report.conformance;
  if (part === null) return { added: [], changed: [], removed: [], left: before.map(entryName) };
  const scope = narrowingOf(report.run);
  const { startedAt } = report.run;
  const { entries } = judgeBaseline(read, { results: part.results, exchanges: new Map(), startedAt, scope });
  const document = documentOf(file);
  const after: (BaselineEntry | undefined)[] = entries.map(({ outcome }, index) =>
    outcome === 'stale' ? undefined : before[index],
  );
  const byKey = new Map(part.results.map((result) => [resultKey(result), result]));
  const isCovered = (result: ResultReport) => after.some((entry) => entry !== undefined && expects(entry, result));
  const expires = new Date(Date.parse(startedAt) + GRACE_DAYS * DAY_MS).toISOString().slice(0, 10);
  const comments = new Map<number, string>();
  // One requirement may be mended before another: an entry of both could not say so.
  const parts = part.causes.flatMap((cause) => {
    const own = cause.results.flatMap((key) => byKey.get(key) ?? []);
    return [...groupBy(own, requirementPattern)].map(([requirement, results]) => ({ cause, requirement, results }));
  });
  for (const { cause, requirement, results } of parts) {
    const own = results.filter((result) => !isCovered(result));
    if (own.length === 0) continue;
    const failures = own.flatMap(({ failure }) => failure ?? []);
    const checks = [...new Set(own.map(({ checkId }) => checkId))];
    const named: Named = {
      requirement,
      operation: one([...new Set(failures.map(({ operation }) => operation))]),
      kind: one([...new Set(failures.map(({ kind }) => kind))]),
      subject: one([...new Set(failures.flatMap(({ subject }) => subject ?? []))]),
      answers: one([...new Set(own.flatMap((result) => answeredStatus(result) ?? []))]),
      check: one(checks),
      family: familiesOf(own, part, scope.families !== null),
    };
    const what = defined(named) as Named;
    const at = after.findIndex(
      (entry) => entry !== undefined && isLike(entry, what) && grown(entry, what) !== undefined,
    );
    const known = after[at];
    if (known !== undefined) after[at] = grown(known, what);
    else {
      comments.set(after.length, example(cause, own));
      after.push({ ...what, expires });
    }
  }
  const { mode, depth } = scope;
  const { requirements } = runOptions(report.run);
  const least = { ...shownOfAll(part.coverage), undecided: part.openStated, mode, depth, ...defined({ requirements }) };
  // What a run that sees less showed is no measure of one that sees more.
  const isWhole = !scope.someChecks && seesLess(read.least, scope).length === 0;
  return write(file, document, { before, after, comments, ...(isWhole ? { least } : {}) });
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

interface Change {
  readonly before: readonly BaselineEntry[];
  readonly after: readonly (BaselineEntry | undefined)[];
  readonly comments: ReadonlyMap<number, string>;
  readonly least?: BaselineShown;
}

const LEAST =
  ' What the run showed: one that shows less, or leaves more undecided, is unclear. What fails of a later set of requirements is new in the suite.';

const isOurs = (comment: string) => comment.startsWith(' What the run showed: ') || /\n For example in /.test(comment);

/** Takes an entry out of a document with its own comment alone. The head of the file, and what a blank line parts from the entry, stay. */
function take(document: Document, at: number): Node | undefined {
  const items = isSeq(document.contents) ? (document.contents.items as Node[]) : [];
  const [taken] = items.splice(at, 1);
  const above = taken?.commentBefore?.split(/\n{2,}/) ?? [];
  const kept = at === 0 && above.length === 1 && !above.some(isOurs) ? above : above.slice(0, -1);
  if (kept.length === 0) return taken;
  const next = items[at];
  const under = (own: string | null | undefined) => [...kept, own ?? ''].join('\n\n').replace(/\n\n$/, '\n');
  if (next !== undefined) next.commentBefore = under(next.commentBefore);
  else if (items.length === 0) document.commentBefore = under(document.commentBefore).trimEnd();
  else document.comment = under(document.comment).trimEnd();
  return taken;
}

function takeLeast(document: Document): unknown {
  const items = isSeq(document.contents) ? document.contents.items : [];
  const at = items.findIndex((item) => isMap(item) && item.has('shown'));
  const taken = at < 0 ? undefined : take(document, at);
  return isMap(taken) ? taken.toJSON() : undefined;
}

function write(file: string, document: Document, { before, after, comments, least }: Change) {
  const changed: string[] = [];
  const shown = takeLeast(document);
  for (const [index, entry] of after.entries()) {
    const old = before[index];
    if (entry === undefined || same(entry, old)) continue;
    if (old === undefined) {
      const node = document.createNode({});
      node.commentBefore = comments.get(index) ?? null;
      document.add(node);
    }
    for (const member of Object.keys(entry) as (keyof BaselineEntry)[]) {
      if (same(entry[member], old?.[member])) continue;
      document.setIn([index, member], document.createNode(entry[member], { flow: true }));
    }
    if (old !== undefined) changed.push(entryName(entry));
  }
  const removed = before.filter((_, index) => after[index] === undefined).map(entryName);
  for (let index = before.length - 1; index >= 0; index -= 1) if (after[index] === undefined) take(document, index);
  const added = after.slice(before.length).flatMap((entry) => (entry === undefined ? [] : [entryName(entry)]));
  const shows = least ?? shown;
  if (shows !== undefined) {
    const node = document.createNode(shows, { flow: true });
    node.commentBefore = LEAST;
    document.add(node);
  }
  if (!existsSync(file) || !same(shows, shown) || added.length + changed.length + removed.length > 0) {
    // A link that leads nowhere is no file of ours to make.
    const flag = existsSync(file) ? 'w' : 'wx';
    writing(file, '--update-baseline', () => writeFileSync(file, document.toString({ lineWidth: 0 }), { flag }));
  }
  const left = before.filter((entry, index) => same(entry, after[index])).map(entryName);
  return { added, changed, removed, left };
}

/** What an update did to the entries of a file, by their names. */
export type BaselineUpdate = ReturnType<typeof write>;

export function updateLines(file: string, { added, changed, removed, left }: BaselineUpdate): readonly string[] {
  const line = (names: readonly string[], words: string) =>
    names.length === 0 ? [] : [`  ${counted(names.length, 'entry', 'entries')} ${words}: ${some(names)}`];
  return [
    `baseline ${file}:`,
    ...line(added, 'added without a reason'),
    ...line(changed, 'changed'),
    ...line(removed, removed.length === 1 ? 'removed: it passes now' : 'removed: they pass now'),
    ...line(left, left.length === 1 ? 'left as it was' : 'left as they were'),
    ...(added.length + changed.length + removed.length + left.length === 0 ? ['  no failures, no entries'] : []),
  ];
}
