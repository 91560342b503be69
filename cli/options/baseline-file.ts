import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isMap, isSeq, LineCounter, type ParsedNode, parseDocument, stringify } from 'yaml';
import { defined } from '../../lib/defined.ts';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { type Baseline, BaselineEntry } from '../../lib/records/baseline.ts';
import type { Report } from '../../lib/records/report.ts';

const FORM = 'a list of entries with check, family, reason, owner, link, expires (YYYY-MM-DD) and, if need be, variant';

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

/** Reads a file of expected failures. Throws `UsageError` that names the line of whatever is wrong with it. */
export function readBaseline(file: string): Baseline {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError('no-baseline', `cannot read the baseline ${file}: ${messageOf(cause)}`, { cause });
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineOf = (node: ParsedNode | null | undefined) =>
    node?.range === undefined || node.range === null ? undefined : lines.linePos(node.range[0]).line;
  const [fault] = document.errors;
  if (fault !== undefined) throw malformed(file, lines.linePos(fault.pos[0]).line, fault.message.split('\n')[0] ?? '');
  const root = document.contents;
  if (root === null) return { file, entries: [] };
  if (!isSeq(root)) throw malformed(file, lineOf(root), 'this is not a list');
  const entries = root.items.map((item) => {
    const parsed = BaselineEntry.safeParse((item as ParsedNode).toJS(document));
    if (parsed.success) return parsed.data;
    const { issues } = parsed.error;
    // A misspelled member says more than the one that is missing for it.
    const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : [];
    const path = unknown.length > 0 ? unknown : (issue?.path ?? []);
    const member = path.length === 0 ? 'entry' : String(path[0]);
    throw malformed(file, lineOf(nodeOf(item, path)), `${member}: ${issue?.message ?? 'malformed'}`);
  });
  const seen = new Map<string, number>();
  for (const [index, { check, family, variant }] of entries.entries()) {
    const key = [check, family, variant ?? ''].join(' ');
    if (seen.has(key)) throw malformed(file, lineOf(root.items[index] as ParsedNode), `${key.trim()} is there twice`);
    seen.set(key, index);
  }
  return { file, entries };
}

const TODO = 'TODO';
/** How long a failure is expected that nobody has said anything about yet. */
const GRACE_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

/** Writes the failures of a report as a baseline: entries that still fail stay as they are, new ones wait for their reason. */
export function writeBaseline(file: string, report: Report): void {
  const before = existsSync(file) ? readBaseline(file).entries : [];
  const failed = (report.conformance?.results ?? []).filter(({ verdict }) => verdict === 'fail');
  const speaksOf = (entry: BaselineEntry, { checkId, family, variant }: (typeof failed)[number]) =>
    entry.check === checkId && entry.family === family && (entry.variant ?? variant) === variant;
  const kept = before.filter((entry) => failed.some((result) => speaksOf(entry, result)));
  const expires = new Date(Date.parse(report.run.startedAt) + GRACE_DAYS * DAY_MS).toISOString().slice(0, 10);
  const fresh = failed
    .filter((result) => !kept.some((entry) => speaksOf(entry, result)))
    .map(({ checkId: check, family, variant }) => ({
      check,
      family,
      ...defined({ variant }),
      reason: `${TODO}: why this is expected`,
      owner: TODO,
      link: TODO,
      expires,
    }));
  writeFileSync(file, stringify([...kept, ...fresh], { lineWidth: 0 }));
}
