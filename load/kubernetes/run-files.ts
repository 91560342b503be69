import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../lib/defined.ts';
import { messageOf, ResultsError } from '../../lib/errors.ts';
import { foreignFolder, MOST_BYTES } from '../../lib/records/folder/foreign.ts';
import type { GivenEvidence } from './gather.ts';
import { runnerPods } from './pods.ts';
import { readProbe } from './probe.ts';
import { podOf, type RunnerFile } from './runner-file.ts';

/**
 * Rows and evidence of a cell from the folder that `run.sh` copied what the runners wrote into. It was written elsewhere: nothing is
 * read through a link. Throws `ResultsError` where a file cannot be read.
 */
export function readRun(cell: string, folder: string): { rows: readonly RunnerFile[]; evidence: GivenEvidence } {
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
  return {
    rows: rows.map((name) => ({ name, bytes: bytes(name) })),
    evidence: {
      ...defined({ pods: pods === undefined ? undefined : runnerPods(text(pods), cell) }),
      ...(probes.length === 0 ? {} : { probes: probes.map((name) => readProbe(name, text(name))) }),
    },
  };
}
