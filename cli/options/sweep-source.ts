import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type JournalTrail, journalTrail } from '../../lib/client/cleanup/outstanding.ts';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { JournalEntry } from '../../lib/records/conformance.ts';
import { FILES } from '../../lib/records/folder/files.ts';
import { MOST_BYTES, parseForeign, plainFile } from '../../lib/records/folder/foreign.ts';
import { RunHeader } from '../../lib/records/run.ts';
import { runOptions } from '../../lib/records/run-options.ts';

/** What a journal says. It decides what is looked at, and never where, with which login, or what may be written. */
export interface JournalSource {
  readonly trail: JournalTrail;
  readonly runId: string;
  /** Base URL and policy of the run as its record says, to be compared with what the operator names. */
  readonly baseUrl: string | undefined;
  readonly policy: string | undefined;
}

/** Text of a file; undefined where there is none. Throws `UsageError` for what is no plain file, or too large. */
function textOf(path: string): string | undefined {
  try {
    return plainFile(path, MOST_BYTES.lines)?.toString('utf8');
  } catch (cause) {
    throw new UsageError('bad-journal', `${path} is not a journal: ${messageOf(cause)}`, {
      cause,
      hint: 'name the folder of a run, or its journal.ndjson',
    });
  }
}

/** Lines that can be read; the last one may be cut where the run was killed, any other must be whole. */
function entriesOf(path: string, text: string): JournalEntry[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (line === '') return [];
    try {
      return [JournalEntry.parse(JSON.parse(line))];
    } catch {
      if (index === lines.length - 1) return [];
      // What the line holds is not shown: it may be any file.
      throw new UsageError('bad-journal', `${path}, line ${index + 1} is not a journal entry`, {
        hint: 'name the folder of a run, or its journal.ndjson',
      });
    }
  });
}

function headerBeside(path: string): RunHeader | undefined {
  try {
    return RunHeader.parse(parseForeign(textOf(join(dirname(path), FILES.header)) ?? ''));
  } catch {
    return undefined;
  }
}

/** Reads the journal of a run folder, or a journal file. Throws `UsageError` where it cannot be read. */
export function readJournal(given: string): JournalSource {
  const path = statSync(given, { throwIfNoEntry: false })?.isDirectory() ? join(given, FILES.journal) : given;
  const header = headerBeside(path);
  const text = textOf(path);
  if (text === undefined && header === undefined) {
    throw new UsageError('no-journal', `cannot read the journal ${path}`, {
      hint: 'name the folder of a run, or its journal.ndjson',
    });
  }
  // A run that was killed before its first write has no journal, and left nothing.
  const entries = text === undefined ? [] : entriesOf(path, text);
  if (header === undefined && entries.length === 0) {
    throw new UsageError('bad-journal', `${path} has no journal entry`, {
      hint: 'name the folder of a run, or its journal.ndjson',
    });
  }
  const runId = header?.runId ?? entries[0]?.runId ?? '';
  if (entries.some((entry) => entry.runId !== runId)) {
    throw new UsageError('bad-journal', `${path} belongs to more than one run`, {
      hint: 'name the journal of one run',
    });
  }
  return {
    trail: journalTrail(entries),
    runId,
    baseUrl: header?.target.baseUrl,
    policy: header === undefined ? undefined : runOptions(header).policy,
  };
}
