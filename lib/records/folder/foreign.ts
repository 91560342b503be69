import { readdirSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { MIB, UnreadableFile, withPlainFile } from '../../plain-file.ts';

/** Largest files of a run folder that are read: records of one line each, whole records, and samples. */
export const MOST_BYTES = { lines: 400 * MIB, whole: 64 * MIB, samples: 1024 * MIB } as const;

const codeOf = (fault: unknown): string => (fault as NodeJS.ErrnoException).code ?? 'unknown';

/** Answers with undefined if there is nothing of that name. Throws `UnreadableFile` for any other fault. */
function unlessMissing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (fault) {
    if (fault instanceof UnreadableFile) throw fault;
    if (codeOf(fault) === 'ENOENT') return undefined;
    throw new UnreadableFile(`it cannot be read (${codeOf(fault)})`);
  }
}

/** As `withPlainFile`; undefined if there is none. Throws `UnreadableFile` alone. */
const withForeign = <T>(path: string, mostBytes: number, use: (descriptor: number, size: number) => T): T | undefined =>
  unlessMissing(() => withPlainFile(path, mostBytes, use));

export const plainFile = (path: string, mostBytes: number): Buffer | undefined =>
  withForeign(path, mostBytes, (descriptor) => readFileSync(descriptor));

const plainHead = (path: string, mostBytes: number, count: number) =>
  withForeign(path, mostBytes, (descriptor, size) => {
    const head = new Uint8Array(count);
    return { head: head.subarray(0, readSync(descriptor, head)), size };
  });

const PIECE = 256 * 1024;
const MOST_LINE = 16 * MIB;
const LINE_END = 10;

/** Hands on each line that is not empty, with its number, until `take` gives false. False without a file. Throws `UnreadableFile`. */
export function plainLines(path: string, mostBytes: number, take: (line: string, number: number) => unknown): boolean {
  const read = (descriptor: number): boolean => {
    const piece = Buffer.alloc(PIECE);
    let open: Buffer[] = [];
    let length = 0;
    let number = 1;
    const end = (last: Buffer): boolean => {
      const line = open.length === 0 ? last.toString('utf8') : Buffer.concat([...open, last]).toString('utf8');
      open = [];
      length = 0;
      number += 1;
      return line === '' || take(line, number - 1) !== false;
    };
    for (let count = readSync(descriptor, piece); count > 0; count = readSync(descriptor, piece)) {
      let from = 0;
      for (let at = piece.indexOf(LINE_END); at !== -1 && at < count; at = piece.indexOf(LINE_END, from)) {
        if (!end(piece.subarray(from, at))) return true;
        from = at + 1;
      }
      length += count - from;
      if (length > MOST_LINE) throw new UnreadableFile(`line ${number} is larger than ${MOST_LINE / MIB} MiB`);
      if (from < count) open.push(Buffer.from(piece.subarray(from, count)));
    }
    if (length > 0) end(Buffer.alloc(0));
    return true;
  };
  return withForeign(path, mostBytes, read) === true;
}

/** Opens a folder from elsewhere; a missing one is empty. Nothing is read through a link inside it. All of it throws `UnreadableFile`. */
export function foreignFolder(path: string) {
  const root = unlessMissing(() => realpathSync(path));
  const direct = (name: string): string | undefined => {
    if (root === undefined) return undefined;
    const whole = join(root, name);
    const real = unlessMissing(() => realpathSync(whole));
    if (real !== undefined && real !== whole) throw new UnreadableFile('it is a link, and links are not followed');
    return real;
  };
  const within = <T>(name: string, read: (whole: string) => T): T | undefined => {
    const whole = direct(name);
    return whole === undefined ? undefined : read(whole);
  };
  return {
    file: (name: string, mostBytes: number) => within(name, (whole) => plainFile(whole, mostBytes)),
    /** Hands on each line of a file below it that is not empty; false if there is none. */
    lines: (name: string, mostBytes: number, take: (line: string, number: number) => unknown) =>
      within(name, (whole) => plainLines(whole, mostBytes, take)) ?? false,
    head: (name: string, mostBytes: number, count: number) =>
      within(name, (whole) => plainHead(whole, mostBytes, count)),
    /** Names in a folder below it, sorted; none if there is no such folder. */
    names: (name: string): readonly string[] =>
      within(name, (whole) => unlessMissing(() => readdirSync(whole).sort())) ?? [],
  };
}

/** A file below a folder from elsewhere, as its schema reads it; undefined where there is none that can be read. */
export function readableIn<T>(folder: string, name: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(parseForeign(foreignFolder(folder).file(name, MOST_BYTES.whole)?.toString('utf8') ?? ''));
  } catch {
    return undefined;
  }
}

/** A value from JSON; the fault of text that is none says so, and quotes nothing of it. */
export function parseForeign(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableFile('it is no JSON');
  }
}
