import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { defined } from '../../lib/defined.ts';
import { messageOf, ResultsError } from '../../lib/errors.ts';
import { foreignFolder, MOST_BYTES, plainFile, UnreadableFile } from '../../lib/records/folder/foreign.ts';
import type { GivenEvidence } from './gather.ts';
import { runnerPods } from './pods.ts';
import { readProbe } from './probe.ts';
import { podOf, type RunnerFile } from './runner-file.ts';

/** What is read of a path. Throws `ResultsError` where it cannot be read. */
function reading<T>(path: string, work: () => T | undefined): T {
  try {
    const read = work();
    if (read === undefined) throw new UnreadableFile('there is none');
    return read;
  } catch (cause) {
    throw new ResultsError('segment-missing', `${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** A file whole. Throws `ResultsError` where it cannot be read. */
export const readBytes = (path: string, mostBytes: number = MOST_BYTES.samples): Uint8Array =>
  reading(path, () => plainFile(path, mostBytes));

/** A file of a folder that was copied from elsewhere: nothing is read through a link. Throws `ResultsError`. */
const readCopied = (path: string): Uint8Array =>
  reading(path, () => foreignFolder(dirname(path)).file(basename(path), MOST_BYTES.samples));

/** Finds what a run of a cell left (rows, probes, list of its pods) among files and folders; a folder stands for what `run.sh` copied into it. */
export function runPaths(cell: string, given: readonly string[], pods?: string) {
  const folders = given.filter((path) => existsSync(path) && statSync(path).isDirectory());
  const inside = folders.flatMap((folder) =>
    reading(folder, () => foreignFolder(folder).names('.'))
      .filter((name) => name.startsWith(`${cell}-`) || name === `${cell}.pods.json`)
      .map((name) => join(folder, name)),
  );
  const named = given.filter((path) => !folders.includes(path));
  const rows = [...named, ...inside.filter((path) => /\.csv(\.gz)?$/.test(path))];
  const probes = rows
    .map((path) => join(path, '..', `${podOf(basename(path))}.probe`))
    .filter((path) => existsSync(path));
  return { rows, probes, pods: pods ?? inside.find((path) => path.endsWith('.pods.json')) };
}

/** Rows and evidence from the files. Throws `ResultsError`. */
export function readRun(
  cell: string,
  paths: ReturnType<typeof runPaths>,
): { rows: readonly RunnerFile[]; evidence: GivenEvidence } {
  const text = (path: string) => Buffer.from(readCopied(path)).toString('utf8');
  const { rows, probes, pods } = paths;
  return {
    rows: rows.map((path) => ({ name: basename(path), bytes: readCopied(path) })),
    evidence: {
      ...defined({ pods: pods === undefined ? undefined : runnerPods(text(pods), cell) }),
      ...(probes.length === 0 ? {} : { probes: probes.map((path) => readProbe(basename(path), text(path))) }),
    },
  };
}
