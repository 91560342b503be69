import { defined } from '../../defined.ts';
import type { ConformanceResult, Dialect, JournalEntry } from '../../records/conformance.ts';
import type { RunWriter } from '../../records/folder/writer.ts';
import type { HistoryRecord } from '../../records/histories.ts';
import type { CellFacts } from '../../records/load/load.ts';
import type { RunEnd, RunHeader } from '../../records/run.ts';
import { isSecretMember, REDACTED, type Redactor } from './redact.ts';

/** A copy of a value with every text in it redacted, names of members among them. */
function deep(value: unknown, text: Redactor['text']): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => deep(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [text(name), OWN_WORDS.has(name) ? member : deep(member, text)]),
  );
}

const FREE_TEXT = ['reason', 'expected', 'observed', 'difference', 'observations', 'pairs', 'retry'] as const;

/** A result without what a target echoed: what it quotes from answers is redacted, its own words stay. */
function redactedResult(result: ConformanceResult, { text }: Redactor): ConformanceResult {
  const quoted = FREE_TEXT.filter((name) => result[name] !== undefined).map((name) => [name, deep(result[name], text)]);
  return { ...result, ...(Object.fromEntries(quoted) as Partial<ConformanceResult>) };
}

/** A dialect whose answers hold no secret that a target echoed. */
function redactedDialect(dialect: Dialect, { text }: Redactor): Dialect {
  return Object.fromEntries(
    Object.entries(dialect).map(([id, fact]) => [id, { ...fact, answer: deep(fact.answer, text) }]),
  );
}

/** A journal entry whose id holds no secret: a target may give one for an id. */
function redactedEntry(entry: JournalEntry, { text }: Redactor): JournalEntry {
  const { id, name } = entry;
  return { ...entry, ...defined({ id: id && text(id), name: name && text(name) }) };
}

/** A copy without the values of members whose names say that they are secrets. */
function withoutSecretMembers<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (name, held: unknown) => (name !== '' && isSecretMember(name) ? REDACTED : held)),
  );
}

/** The grounds of a failure as they may be kept. What was redacted may be what the failure is about, so that it is marked. */
function redactedHistory(history: HistoryRecord, { text }: Redactor): HistoryRecord {
  const { writes, observation, ...rest } = history;
  const quoted = { writes, observation };
  const clean = deep(withoutSecretMembers(quoted), text) as typeof quoted;
  const isSame = JSON.stringify(clean) === JSON.stringify(quoted);
  return { ...rest, ...clean, ...(isSame ? {} : { redacted: true }) };
}

const CELL_TEXT = ['failures', 'readBack', 'fault', 'stopped', 'background'] as const;
/** Members whose values are words of our own. */
const OWN_WORDS: ReadonlySet<string> = new Set(['kind', 'rule']);

/** Facts of a cell without what a target echoed in answers, warnings and policies. */
function redactedCell(facts: CellFacts, { text }: Redactor): CellFacts {
  const quoted = CELL_TEXT.filter((name) => facts[name] !== undefined).map((name) => [name, deep(facts[name], text)]);
  const { generator } = facts;
  return {
    ...facts,
    ...(Object.fromEntries(quoted) as Partial<CellFacts>),
    generator: { ...generator, warnings: generator.warnings.map(text) },
  };
}

/** The first record without what stands in options, such as the user of an output. */
function redactedHeader(header: RunHeader, { text }: Redactor): RunHeader {
  return { ...header, options: deep(header.options, text) as RunHeader['options'] };
}

/** The last record without what a target echoed in faults, and in ids and names of what is left. */
function redactedEnd(end: RunEnd, { text }: Redactor): RunEnd {
  const { faults, cleanup } = end;
  return {
    ...end,
    faults: faults.map((fault) => ({ ...fault, message: text(fault.message) })),
    cleanup: {
      ...cleanup,
      residue: deep(cleanup.residue, text) as RunEnd['cleanup']['residue'],
      ...defined({ leftAlone: deep(cleanup.leftAlone, text) as RunEnd['cleanup']['leftAlone'] }),
    },
  };
}

/** What a run writes, with everything that quotes the target redacted on its way to the disk. `redact` is asked each time. */
export function redactedWriter(writer: RunWriter, redact: () => Redactor): RunWriter {
  return {
    ...writer,
    header: (header) => writer.header(redactedHeader(header, redact())),
    cell: (facts, samples) => writer.cell(redactedCell(facts, redact()), samples),
    result: (result) => writer.result(redactedResult(result, redact())),
    history: (history) => writer.history(redactedHistory(history, redact())),
    dialect: (dialect) => writer.dialect(redactedDialect(dialect, redact())),
    journal: (entry) => writer.journal(redactedEntry(entry, redact())),
    end: (end) => writer.end(redactedEnd(end, redact())),
  };
}
