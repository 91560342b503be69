import { shellQuoted } from '../../lib/curl.ts';
import { RUN } from '../../lib/records/answer.ts';

/** A word as a shell takes it. */
export const shellWord = (text: string): string => (/^[\w./:@,+=-]+$/.test(text) ? text : shellQuoted(text));

/** A command of the program as it is typed, with the run in the place that stands for it. */
export const commandLine = (args: readonly string[], run: string): string =>
  ['ers-harness', ...args.map((arg) => shellWord(arg === RUN ? run : arg))].join(' ');
