import { gunzipSync } from 'node:zlib';
import { ResultsError } from '../../lib/errors.ts';
import { counted } from '../../lib/numbers.ts';

/** What one runner wrote: rows of k6 as CSV, compressed where the name ends with `.gz`. */
export interface RunnerFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Rows of one runner that are read at most: a day at 250 a second. */
const MOST_BYTES = 2 ** 31 - 1;

/** Throws `ResultsError` for a file that is not whole. */
export function cut(name: string, message: string): never {
  throw new ResultsError('segment-cut', `${name}: ${message}`, { hint: 'copy the file again, or run the cell again' });
}

/** Name of the pod that wrote a file: what stands before the ending. */
export function podOf(name: string): string {
  return name.replace(/\.(csv|csv\.gz|probe)$/, '');
}

/** The rows as text bytes. Throws `ResultsError` for a compressed file that is cut, damaged or too large. */
export function rowsOf({ name, bytes }: RunnerFile): Uint8Array {
  if (!name.endsWith('.gz')) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch {
    const killed = bytes.length < 32 ? ': a runner that was killed leaves no more' : '';
    return cut(name, `it does not unpack (${counted(bytes.length, 'byte')}${killed})`);
  }
}
