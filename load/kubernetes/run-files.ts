import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defined } from '../../lib/defined.ts';
import { messageOf, ResultsError } from '../../lib/errors.ts';
import type { GivenEvidence } from './gather.ts';
import { runnerPods } from './pods.ts';
import { readProbe } from './probe.ts';
import { podOf, type RunnerFile } from './runner-file.ts';

/** Paths of what a run of a cell left: rows, probes and the list of its pods. */
export interface RunPaths {
  readonly rows: readonly string[];
  readonly probes: readonly string[];
  readonly pods: string | undefined;
}

/** A file whole. Throws `ResultsError` where it cannot be read. */
export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new ResultsError('segment-missing', `${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Finds the files of a cell among files and folders; a folder stands for what `run.sh` copied into it. */
export function runPaths(cell: string, given: readonly string[], pods?: string): RunPaths {
  const folders = given.filter((path) => existsSync(path) && statSync(path).isDirectory());
  const inside = folders.flatMap((folder) =>
    readdirSync(folder)
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
export function readRun(cell: string, paths: RunPaths): { rows: readonly RunnerFile[]; evidence: GivenEvidence } {
  const text = (path: string) => Buffer.from(readBytes(path)).toString('utf8');
  const { rows, probes, pods } = paths;
  return {
    rows: rows.map((path) => ({ name: basename(path), bytes: readBytes(path) })),
    evidence: {
      ...defined({ pods: pods === undefined ? undefined : runnerPods(text(pods), cell) }),
      ...(probes.length === 0 ? {} : { probes: probes.map((path) => readProbe(basename(path), text(path))) }),
    },
  };
}
