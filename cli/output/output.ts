import { basename, relative } from 'node:path';
import pc from 'picocolors';
import { HarnessError, messageOf, UsageError } from '../../lib/errors.ts';
import { inertJson, inertLine, scrubbed } from '../../lib/outgoing.ts';

const NAME = 'ers-harness';

/** How this program is started from where the user stands: `npx ers-harness`, `ers-harness`, `node dist/ers-harness.js`. */
export function programName(env: NodeJS.ProcessEnv = process.env, argv: readonly string[] = process.argv): string {
  const [, file = ''] = argv;
  if (file !== '' && basename(file) !== NAME) return `node ${relative('.', file)}`;
  // What npx and npm run put on the path is not there once they are done.
  return env['npm_command'] === 'exec' || file.includes('node_modules') ? `npx ${NAME}` : NAME;
}

/** A line in which commands of this program stand as they are typed here. */
export const asTyped = (line: string): string =>
  line.replace(
    /(^next: | with: |`)(?:npx )?ers-harness (?=[a-z])/g,
    (_, before: string) => `${before}${programName()} `,
  );

/** A line as it is printed: without the login, and without anything that a terminal or a CI system would act on. */
const outgoing = (line: string, colored = false): string => `${inertLine(scrubbed(asTyped(line)), colored)}\n`;

const eachLine = (text: string, held: (line: string) => string): string => text.split('\n').map(held).join('\n');

function outgoingData(text: string): string {
  const held = scrubbed(text.endsWith('\n') ? text.slice(0, -1) : text);
  const isJson = /^\s*[[{]/.test(held);
  return `${isJson ? inertJson(held) : eachLine(held, (line) => inertLine(asTyped(line)))}\n`;
}

/** Help and usage errors, line by line, as they are printed. */
export const outgoingLines = (text: string): string => eachLine(text, (line) => inertLine(scrubbed(line)));

/** Results and data go to stdout, progress and faults to stderr. Colors follow --no-color, NO_COLOR and whether it is a terminal. */
export function createOutput(options: { quiet?: boolean; color?: boolean; json?: boolean }) {
  const results = options.json === true ? process.stderr : process.stdout;
  const colored = options.color !== false && (process.env['NO_COLOR'] ?? '') === '' && results.isTTY === true;
  const quiet = options.quiet === true;
  const saidOnce = new Set<string>();
  /** A line for the reader; left out with --quiet. */
  const say = (line: string): void => {
    if (!quiet) process.stderr.write(outgoing(line));
  };
  return {
    quiet,
    say,
    /** The same, for what holds for all of a run: said the first time. */
    sayOnce(line: string): void {
      if (!saidOnce.has(line)) say(line);
      saidOnce.add(line);
    },
    /** A line that --quiet does not silence. */
    warn: (line: string): void => void process.stderr.write(outgoing(line)),
    /** A line of the result: stdout, or stderr where --json gives stdout to another program. */
    result: (line: string): void => void results.write(outgoing(line, colored)),
    /** An error for GitHub Actions to show beside the run; nothing elsewhere. */
    annotate(text: string): void {
      if (process.env['GITHUB_ACTIONS'] !== 'true') return;
      const held = inertLine(scrubbed(text))
        .replaceAll('%', '%25')
        .replace(/[\r\n]+/g, ' ');
      results.write(`::error title=ers-harness::${held}\n`);
    },
    data: (text: string): void => void process.stdout.write(outgoingData(text)),
    resultPaint: pc.createColors(colored),
  };
}
export type Output = Readonly<ReturnType<typeof createOutput>>;

/** What to do if the system refuses something that a program may ask for, by its code. */
const OF_SYSTEM: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on the disk',
  EDQUOT: 'make room: your share of the disk is used up',
  EFBIG: 'raise the limit of the size of files (ulimit -f)',
  EMFILE: 'raise the limit of open files (ulimit -n)',
  EROFS: 'work in a folder that can be written',
  EACCES: 'work in a folder that you may write, on files that you may read',
  uv_cwd: 'the working folder is gone: change to one that is there',
};

/** What to do about a fault of the system that is none of the program; undefined for any other fault. */
export function systemHint(fault: unknown): string | undefined {
  if (!(fault instanceof Error) || fault instanceof HarnessError) return undefined;
  const { code = '', syscall = '' } = fault as NodeJS.ErrnoException;
  return OF_SYSTEM[syscall] ?? OF_SYSTEM[code];
}

export function faultLines(fault: unknown): string[] {
  const hint = systemHint(fault);
  if (hint !== undefined) return [`error: ${messageOf(fault)}`, `  ${hint}`];
  if (!(fault instanceof HarnessError)) return [`fault of ers-harness itself: ${messageOf(fault)}`];
  return [
    `error (${fault.code}): ${fault.message}`,
    // A hint may have a line for each thing to do.
    ...(fault.hint === undefined ? [] : fault.hint.split('\n').map((line) => `  ${line}`)),
  ];
}

/** Writes into a place that the user named, with these flags. Throws `UsageError` if that fails. */
export function writing(place: string, flags: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    throw new UsageError('out-not-writable', `cannot write ${place}: ${messageOf(cause)}`, {
      cause,
      hint: `use ${flags} to name a place that can be written`,
    });
  }
}
