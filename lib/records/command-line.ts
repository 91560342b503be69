import { shellQuoted } from '../curl.ts';
import { RUN } from './answer.ts';
import type { RunHeader } from './run.ts';

/** A word as a shell takes it. */
export const shellWord = (text: string): string => (/^[\w./:@,+=-]+$/.test(text) ? text : shellQuoted(text));

/** A command of the program as it is typed, with the run in the place that stands for it. */
export const commandLine = (args: readonly string[], run: string): string =>
  ['ers-harness', ...args.map((arg) => shellWord(arg === RUN ? run : arg))].join(' ');

/** The folder that a run was written to, as it is typed where the run was started: every command takes it, an id is of `report` alone. */
export function folderOf({ options, runId }: Pick<RunHeader, 'options' | 'runId'>): string {
  const { out } = options;
  return typeof out === 'string' ? out : `runs/${runId}`;
}
