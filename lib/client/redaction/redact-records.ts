import type { RunWriter } from '../../records/folder/writer.ts';
import type { HistoryRecord } from '../../records/histories.ts';
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

/** Members whose values are words of our own. */
const OWN_WORDS: ReadonlySet<string> = new Set(['kind', 'rule']);

/** A copy of a record in which these members hold nothing that a target echoed; its own words stay. */
function quoting<T extends object>(record: T, members: readonly (keyof T)[], { text }: Redactor): T {
  const quoted = members.filter((name) => record[name] !== undefined).map((name) => [name, deep(record[name], text)]);
  return { ...record, ...(Object.fromEntries(quoted) as Partial<T>) };
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

/** What a run writes, with everything that quotes the target redacted on its way to the disk. `redact` is asked each time. */
export function redactedWriter(writer: RunWriter, redact: () => Redactor): RunWriter {
  return {
    ...writer,
    header: (header) => writer.header(quoting(header, ['options'], redact())),
    cell(facts, samples) {
      const members = ['failures', 'readBack', 'fault', 'stopped', 'background'] as const;
      const generator = quoting(facts.generator, ['warnings'], redact());
      writer.cell({ ...quoting(facts, members, redact()), generator }, samples);
    },
    result(result) {
      const members = ['reason', 'expected', 'observed', 'difference', 'observations', 'pairs', 'retry'] as const;
      writer.result(quoting(result, members, redact()));
    },
    history: (history) => writer.history(redactedHistory(history, redact())),
    dialect(dialect) {
      const facts = Object.entries(dialect).map(([id, fact]) => [id, quoting(fact, ['answer'], redact())]);
      writer.dialect(Object.fromEntries(facts));
    },
    // A target may give a secret for an id.
    journal: (entry) => writer.journal(quoting(entry, ['id', 'name'], redact())),
    end(end) {
      const faults = end.faults.map((fault) => quoting(fault, ['message'], redact()));
      writer.end({ ...end, faults, cleanup: quoting(end.cleanup, ['residue', 'leftAlone'], redact()) });
    },
  };
}
