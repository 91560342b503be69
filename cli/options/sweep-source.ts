import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPool } from '../../lib/client/anc/pool.ts';
import { type JournalRest, journalRest } from '../../lib/client/cleanup/outstanding.ts';
import { poolOfJournal } from '../../lib/client/cleanup/sweep-endpoints.ts';
import type { EndpointPool } from '../../lib/client/types.ts';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { JournalEntry } from '../../lib/records/conformance.ts';
import { FILES } from '../../lib/records/folder.ts';
import { RunHeader } from '../../lib/records/run.ts';

/** A journal, with what the record of its run adds where it lies beside it. */
export interface JournalSource {
  readonly rest: JournalRest;
  readonly runId: string;
  readonly policy: string | undefined;
  readonly baseUrl: string | undefined;
  readonly pool: EndpointPool;
}

/** Lines that can be read; the last one may be cut where the run was killed, any other must be whole. */
function entriesOf(path: string): JournalEntry[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError('no-journal', `cannot read the journal ${path}: ${messageOf(cause)}`, {
      cause,
      hint: 'name the folder of a run, or its journal.ndjson',
    });
  }
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (line === '') return [];
    try {
      return [JournalEntry.parse(JSON.parse(line))];
    } catch (cause) {
      if (index === lines.length - 1) return [];
      throw new UsageError('bad-journal', `${path}, line ${index + 1} is no journal entry`, { cause });
    }
  });
}

function headerBeside(path: string): RunHeader | undefined {
  const file = join(dirname(path), FILES.header);
  if (!existsSync(file)) return undefined;
  try {
    return RunHeader.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Reads the journal of a run folder, or a journal file. Throws `UsageError` where it cannot be read. */
export function readJournal(given: string, policy: string | undefined): JournalSource {
  const path = statSync(given, { throwIfNoEntry: false })?.isDirectory() ? join(given, FILES.journal) : given;
  const header = headerBeside(path);
  // A run that was killed before its first write has no journal, and left nothing.
  const entries = header !== undefined && !existsSync(path) ? [] : entriesOf(path);
  const rest = journalRest(entries);
  const spec = text(header?.options['endpoints']);
  const named = policy ?? text(header?.options['policy']);
  if (named === undefined && rest.endpoints.length + rest.waves.length > 0) {
    throw new UsageError('no-policy', 'the run put a policy on endpoints, and its record does not say which', {
      hint: 'name it with --policy',
    });
  }
  return {
    rest,
    runId: header?.runId ?? entries[0]?.runId ?? '',
    policy: named,
    baseUrl: header?.target.baseUrl,
    pool: poolOfJournal(
      rest,
      rest.endpoints.length > 0 && spec !== undefined ? readPool(spec, { allowForeign: true }) : undefined,
    ),
  };
}
