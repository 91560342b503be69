import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

const MIB = 1024 * 1024;

/** Largest files of a run folder that are read: records of one line each, whole records, and samples. */
export const MOST_BYTES = { lines: 400 * MIB, whole: 64 * MIB, samples: 1024 * MIB } as const;

/** A file that is not read; the message says why, and never what is in it. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

const codeOf = (fault: unknown): string => (fault as NodeJS.ErrnoException).code ?? 'unknown';

/** Answers with undefined where there is nothing of that name. Throws `UnreadableFile` for any other fault. */
function unlessMissing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (fault) {
    if (fault instanceof UnreadableFile) throw fault;
    if (codeOf(fault) === 'ENOENT') return undefined;
    throw new UnreadableFile(`it cannot be read (${codeOf(fault)})`);
  }
}

/** Opens a plain file of at most so many bytes; undefined where there is none. Throws `UnreadableFile`: a pipe or a device is not waited for. */
function withPlainFile<T>(
  path: string,
  mostBytes: number,
  use: (descriptor: number, size: number) => T,
): T | undefined {
  return unlessMissing(() => {
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = fstatSync(descriptor);
      if (!found.isFile()) throw new UnreadableFile('it is no plain file');
      if (found.size > mostBytes) throw new UnreadableFile(`it is larger than ${Math.round(mostBytes / MIB)} MiB`);
      return use(descriptor, found.size);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Bytes of a plain file; undefined where there is none. Throws `UnreadableFile`. */
export function plainFile(path: string, mostBytes: number): Buffer | undefined {
  return withPlainFile(path, mostBytes, (descriptor) => readFileSync(descriptor));
}

/** First bytes of a file, and how many it has in all. */
interface FileHead {
  readonly head: Uint8Array;
  readonly size: number;
}

function plainHead(path: string, mostBytes: number, count: number): FileHead | undefined {
  return withPlainFile(path, mostBytes, (descriptor, size) => {
    const head = new Uint8Array(count);
    return { head: head.subarray(0, readSync(descriptor, head)), size };
  });
}

/** A folder from elsewhere: nothing is read through a link inside it. The folder itself may be named by a link. */
export interface ForeignFolder {
  /** Bytes of a file below it; undefined where there is none. Throws `UnreadableFile`. */
  readonly file: (name: string, mostBytes: number) => Buffer | undefined;
  /** First bytes of a file below it; undefined where there is none. Throws `UnreadableFile`. */
  readonly head: (name: string, mostBytes: number, count: number) => FileHead | undefined;
  /** Names in a folder below it, sorted; none where there is no such folder. Throws `UnreadableFile`. */
  readonly names: (name: string) => readonly string[];
}

/** Opens a folder from elsewhere; one that is not there is empty. */
export function foreignFolder(path: string): ForeignFolder {
  const root = unlessMissing(() => realpathSync(path));
  const direct = (name: string): string | undefined => {
    if (root === undefined) return undefined;
    const whole = join(root, name);
    const real = unlessMissing(() => realpathSync(whole));
    if (real !== undefined && real !== whole) throw new UnreadableFile('it is a link, and links are not followed');
    return real;
  };
  return {
    file(name, mostBytes) {
      const whole = direct(name);
      return whole === undefined ? undefined : plainFile(whole, mostBytes);
    },
    head(name, mostBytes, count) {
      const whole = direct(name);
      return whole === undefined ? undefined : plainHead(whole, mostBytes, count);
    },
    names(name) {
      const whole = direct(name);
      return whole === undefined ? [] : (unlessMissing(() => readdirSync(whole).sort()) ?? []);
    },
  };
}

/** A value from JSON; the fault of text that is none says so, and quotes nothing of it. */
export function parseForeign(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableFile('it is no JSON');
  }
}
