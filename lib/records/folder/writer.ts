import { closeSync, existsSync, fdatasync, futimes, openSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type * as z from 'zod';
import { messageOf, UsageError } from '../../errors.ts';
import { scrubbed } from '../../outgoing.ts';
import { Baseline } from '../baseline.ts';
import { ConformanceResult, Dialect, ExchangeRecord, JournalEntry } from '../conformance.ts';
import { HistoryRecord } from '../histories.ts';
import { CellFacts, encodeSamples, type Samples } from '../load/load.ts';
import { Catalogue, RunEnd, RunHeader } from '../run.ts';
import { makeFolder, openForAppend, placeIn, writeWhole } from './disk.ts';
import { FILES } from './files.ts';

const syncToDisk = promisify(fdatasync);

/** Group commit: resolves when so many entries are on the disk. One sync serves all entries before it. Rejects with the system's error. */
export function groupSync(
  descriptor: () => number | undefined,
  sync: (descriptor: number) => Promise<void> = syncToDisk,
): (written: number) => Promise<void> {
  let synced = 0;
  let written = 0;
  let running: Promise<void> | undefined;
  async function run(): Promise<void> {
    const file = descriptor();
    const covered = written;
    try {
      if (file !== undefined) await sync(file);
      synced = covered;
    } finally {
      running = undefined;
    }
  }
  return async (count) => {
    written = Math.max(written, count);
    // The sync under way began before some of these entries: its end is waited for, whatever it is, and the next one counts.
    if (synced < count && running !== undefined) await running.catch(() => undefined);
    if (synced >= count) return;
    running ??= run();
    await running;
  };
}

/** Bytes of exchanges, and of grounds of failures, that a run folder takes: less than what is read of it. */
const MOST_BYTES = 256 * 1024 * 1024;

/** How often a run that is on says so by the time of its journal: within a load nothing is written to it for minutes. */
const BEAT_MS = 5000;

function appender<T>(folder: string, name: string, schema: z.ZodType<T>, mostBytes = Number.POSITIVE_INFINITY) {
  let descriptor: number | undefined;
  const sync = groupSync(() => descriptor);
  let written = 0;
  let bytes = 0;
  let beat: NodeJS.Timeout | undefined;
  const open = () => {
    descriptor ??= openForAppend(placeIn(folder, name));
    return descriptor;
  };
  return {
    open,
    beats() {
      const now = () => Date.now() / 1000;
      beat = setInterval(() => futimes(open(), now(), now(), () => undefined), BEAT_MS).unref();
    },
    count: () => written,
    append(value: T) {
      const line = `${scrubbed(JSON.stringify(schema.parse(value)))}\n`;
      bytes += Buffer.byteLength(line);
      if (bytes > mostBytes) return;
      writeSync(open(), line);
      written += 1;
    },
    synced: () => sync(written),
    close() {
      clearInterval(beat);
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

function inUse(folder: string, what = 'a run'): UsageError {
  let number = 2;
  while (existsSync(`${folder}-${number}`)) number += 1;
  return new UsageError('out-in-use', `${folder} already holds ${what}`, {
    hint: `name a new folder, such as --out ${folder}-${number}; without --out each run gets one of its own below runs`,
  });
}

/** Throws `UsageError` for a folder that holds a run already, or a file under the name of one that a run writes. */
export function checkFree(folder: string): void {
  const taken = Object.values(FILES).find((name) => existsSync(join(folder, name)));
  if (taken !== undefined) throw inUse(folder, taken === FILES.header ? undefined : taken);
}

/** Makes a folder, and keeps it for one run until its header is written. Throws `UsageError` if it cannot be written, or another run has it. */
function lock(given: string) {
  const path = join(given, '.begins');
  try {
    makeFolder(given);
    closeSync(openSync(path, 'wx', 0o600));
  } catch (cause) {
    if (existsSync(path)) throw inUse(given);
    throw new UsageError('out-not-writable', `cannot write the run folder ${given}: ${messageOf(cause)}`, {
      cause,
      hint: 'use --out to name a writable folder',
    });
  }
  // Nothing is written through a link that takes its place later.
  return { folder: realpathSync(given), unlock: () => rmSync(path, { force: true }) };
}

/** Opens a run folder for writing; every record is checked against its schema. Throws `UsageError` if the folder cannot be written. */
export function openRunFolder(given: string) {
  const { folder, unlock } = lock(given);
  try {
    checkFree(folder);
  } catch (fault) {
    unlock();
    throw fault;
  }
  const put =
    <T>(name: string, schema: z.ZodType<T>) =>
    (value: T) =>
      writeWhole(placeIn(folder, name), `${JSON.stringify(schema.parse(value), null, 2)}\n`);
  const results = appender(folder, FILES.results, ConformanceResult);
  const exchanges = appender(folder, FILES.exchanges, ExchangeRecord, MOST_BYTES);
  const histories = appender(folder, FILES.histories, HistoryRecord, MOST_BYTES);
  const journal = appender(folder, FILES.journal, JournalEntry);
  const putEnd = put(FILES.end, RunEnd);
  let cells = 0;
  return {
    folder,
    header(header: RunHeader) {
      // A run that wrote nothing has an empty journal: one that is missing was lost.
      journal.open();
      journal.beats();
      put(FILES.header, RunHeader)(header);
      unlock();
    },
    catalogue: put(FILES.catalogue, Catalogue),
    dialect: put(FILES.dialect, Dialect),
    baseline: put(FILES.baseline, Baseline),
    end: (end: RunEnd) =>
      putEnd({
        ...end,
        recorded: {
          ...{ results: results.count(), exchanges: exchanges.count(), journal: journal.count(), cells },
          histories: histories.count(),
        },
      }),
    result: results.append,
    exchange: exchanges.append,
    history: histories.append,
    /** Written before it returns, so that it survives the process. `journalSynced` makes it survive the machine. */
    journal: journal.append,
    /** Resolves when every entry so far is on the disk. Rejects if the disk refuses it. */
    journalSynced: journal.synced,
    cell(facts: CellFacts, samples: Samples) {
      const own = `${FILES.cells}/${CellFacts.parse(facts).id}`;
      writeWhole(placeIn(folder, `${own}/${FILES.samples}`), encodeSamples(samples));
      put(`${own}/${FILES.facts}`, CellFacts)(facts);
      cells += 1;
    },
    /** Writes the facts of a cell that is written once more, with what was learned of it later. */
    facts: (facts: CellFacts) => put(`${FILES.cells}/${CellFacts.parse(facts).id}/${FILES.facts}`, CellFacts)(facts),
    file: (name: string, content: string) => writeWhole(placeIn(folder, name), content),
    close() {
      for (const file of [results, exchanges, histories, journal]) file.close();
    },
  };
}
export type RunWriter = ReturnType<typeof openRunFolder>;
