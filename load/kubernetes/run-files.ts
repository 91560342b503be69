import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, ResultsError } from '../../lib/errors.ts';
import { foreignFolder, MOST_BYTES } from '../../lib/records/folder/foreign.ts';
import { missing } from './evidence.ts';
import { runnerPods } from './pods.ts';
import { readProbe } from './probe.ts';

/** What one runner wrote: rows of k6 as CSV, compressed where the name ends with `.gz`. */
export interface RunnerFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export function podOf(name: string): string {
  return name.replace(/\.(csv|csv\.gz|probe)$/, '');
}

/**
 * Rows, endings and probes of a cell from the folder that `run.sh` copied what the runners wrote into. It was written elsewhere: nothing is
 * read through a link. Throws `ResultsError` where a file is missing or cannot be read.
 */
export function readRun(cell: string, folder: string) {
  const copied = foreignFolder(folder);
  const reading = <T>(name: string, work: () => T | undefined): T => {
    try {
      const read = work();
      if (read !== undefined) return read;
    } catch (cause) {
      throw new ResultsError('segment-missing', `${join(folder, name)} cannot be read: ${messageOf(cause)}`, { cause });
    }
    throw new ResultsError('segment-missing', `${join(folder, name)} cannot be read: there is none`);
  };
  const bytes = (name: string) => reading(name, () => copied.file(name, MOST_BYTES.samples));
  const text = (name: string) => Buffer.from(bytes(name)).toString('utf8');
  const names = reading('.', () => copied.names('.'));
  const rows = names.filter((name) => name.startsWith(`${cell}-`) && /\.csv(\.gz)?$/.test(name));
  const probes = rows.map((name) => `${podOf(name)}.probe`).filter((name) => existsSync(join(folder, name)));
  const pods = names.find((name) => name === `${cell}.pods.json`);
  if (pods === undefined) throw missing(cell, 'how the runners ended');
  if (probes.length === 0) throw missing(cell, 'what the runners used');
  return {
    rows: rows.map((name): RunnerFile => ({ name, bytes: bytes(name) })),
    pods: runnerPods(text(pods), cell),
    probes: probes.map((name) => readProbe(name, text(name))),
  };
}
