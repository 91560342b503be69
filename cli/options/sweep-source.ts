import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { journalTrail } from '../../lib/client/cleanup/outstanding.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { UnreadableFile } from '../../lib/plain-file.ts';
import { JournalEntry } from '../../lib/records/conformance.ts';
import { FILES } from '../../lib/records/folder/files.ts';
import { foreignFolder, MOST_BYTES, readableIn } from '../../lib/records/folder/foreign.ts';
import { RunEnd, RunHeader } from '../../lib/records/run.ts';
import { runOptions } from '../../lib/records/run-options.ts';
import { isRunId, runPrefix } from '../../lib/run-name.ts';
import { inert, some } from '../../lib/text.ts';

/** Entries of a journal that are read: those of days. */
const MOST_ENTRIES = 1_000_000;
/** Characters of the names of families that a refusal shows. */
const LONGEST_LIST = 300;

const HINT = { hint: 'name the folder of a run, or its records/journal.ndjson' } as const;

function placeOf(given: string) {
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory()) return { folder: given, name: FILES.journal };
  const folder = dirname(dirname(given));
  const isOfRun = join(folder, FILES.journal) === join(given);
  return isOfRun ? { folder, name: FILES.journal } : { folder: dirname(given), name: basename(given) };
}

type Place = ReturnType<typeof placeOf>;

/** Entries of a journal that can be read; the last line may be cut if the run was killed, any other must be whole. */
function entriesOf({ folder, name }: Place): JournalEntry[] | undefined {
  const path = join(folder, name);
  const entries: JournalEntry[] = [];
  let cut: number | undefined;
  const take = (line: string, number: number) => {
    // What the line holds is not shown: it may be any file.
    if (cut !== undefined) throw new UsageError('bad-journal', `${path}, line ${cut} is not a journal entry`, HINT);
    try {
      entries.push(JournalEntry.parse(JSON.parse(line)));
    } catch {
      cut = number;
    }
    if (entries.length > MOST_ENTRIES) throw new UnreadableFile(`it has more than ${MOST_ENTRIES} entries`);
  };
  try {
    return foreignFolder(folder).lines(name, MOST_BYTES.lines, take) ? entries : undefined;
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError('bad-journal', `${path} is not a journal: ${messageOf(cause)}`, { cause, ...HINT });
  }
}

/** Reads the journal of a run folder, or a journal file. Throws `UsageError` if it cannot be read. */
export function readJournal(given: string) {
  const place = placeOf(given);
  const path = join(place.folder, place.name);
  const seen = () => statSync(path, { throwIfNoEntry: false });
  const stateNow = () => {
    const { size, mtimeMs } = seen() ?? {};
    return `${size} ${mtimeMs}`;
  };
  const state = stateNow();
  const header = readableIn(place.folder, FILES.header, RunHeader);
  const entries = entriesOf(place);
  if (entries === undefined) throw new UsageError('no-journal', `cannot read the journal ${path}`, HINT);
  if (header === undefined && entries.length === 0)
    throw new UsageError('bad-journal', `${path} has no journal entry`, HINT);
  const runId = header?.runId ?? entries[0]?.runId ?? '';
  if (entries.some((entry) => entry.runId !== runId))
    throw new UsageError('bad-journal', `${path} belongs to more than one run`, {
      hint: 'name the journal of one run',
    });
  // The id decides which names on the target are those of the run.
  if (!isRunId(runId)) throw new UsageError('bad-journal', `${path} has no id of a run`, HINT);
  const isOver = existsSync(join(place.folder, FILES.end));
  const written = readableIn(place.folder, FILES.end, RunEnd)?.recorded?.journal;
  if (entries.length < (written ?? (header?.mode === 'read-only' ? 0 : 1)))
    throw new UsageError('cut-journal', `${path} was cut, or its run was before its first write`, {
      hint: `look for its records by name: --prefix ${runPrefix(runId)} --older-than 1s`,
    });
  const told = journalTrail(entries);
  // A run that is on touches its journal every few seconds.
  const trail = { ...told, lastMs: Math.max(told.lastMs, isOver ? 0 : (seen()?.mtimeMs ?? 0)) };
  const unknown = trail.families.filter((name) => !Object.hasOwn(FAMILIES, name));
  if (unknown.length > 0)
    throw new UsageError(
      'other-families',
      `the run wrote to families that are not known: ${inert(some(unknown), LONGEST_LIST)}`,
      { hint: 'give --families as the run was given it' },
    );
  return {
    ...{ trail, runId },
    /** True if the run goes on: its journal was written to since it was read, or its time set. */
    goesOn: () => stateNow() !== state,
    /** Base URL and policies of the run as its record says, to be compared with what the operator names. */
    baseUrl: header?.target.baseUrl,
    policies: header && runOptions(header).policies,
  };
}
/** What a journal says. It decides what is looked at, and never where, with which login, or what may be written. */
export type JournalSource = ReturnType<typeof readJournal>;
