import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

export const MIB = 1024 * 1024;

/** A file that is not read; the message says why, and never what is in it. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

const sizeText = (bytes: number): string =>
  bytes >= MIB ? `${Math.round(bytes / MIB)} MiB` : `${Math.round(bytes / 1024)} KiB`;

/** Opens a plain file of at most so many bytes. Throws `UnreadableFile`, also for a pipe or a device, and faults of the system. */
export function withPlainFile<T>(path: string, mostBytes: number, use: (descriptor: number, size: number) => T): T {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new UnreadableFile('it is no plain file');
    if (found.size > mostBytes) throw new UnreadableFile(`it is larger than ${sizeText(mostBytes)}`);
    return use(descriptor, found.size);
  } finally {
    closeSync(descriptor);
  }
}

/** Text of a file that a user names, of at most so many bytes. Throws as `withPlainFile` does. */
export const plainText = (path: string, mostBytes: number): string =>
  withPlainFile(path, mostBytes, (descriptor) => readFileSync(descriptor, 'utf8'));
