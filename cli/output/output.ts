import pc from 'picocolors';
import { HarnessError, messageOf } from '../../lib/errors.ts';
import { inertJson, inertLine, scrubbed } from '../../lib/outgoing.ts';
import { asTyped } from './program.ts';

/** A line as it is printed: without the login, and without anything that a terminal or a CI system would act on. */
const outgoing = (line: string, colored = false): string => `${inertLine(scrubbed(asTyped(line)), colored)}\n`;

const eachLine = (text: string, held: (line: string) => string): string => text.split('\n').map(held).join('\n');

/** Data as it is printed: JSON stays the same value, other text is a line for each of its lines. */
function outgoingData(text: string): string {
  const held = scrubbed(text.endsWith('\n') ? text.slice(0, -1) : text);
  const isJson = /^\s*[[{]/.test(held);
  return `${isJson ? inertJson(held) : eachLine(held, (line) => inertLine(asTyped(line)))}\n`;
}

/** Help and usage errors, line by line, as they are printed. */
export const outgoingLines = (text: string): string => eachLine(text, (line) => inertLine(scrubbed(line)));

/**
 * Where a command writes: results and data to stdout, progress and faults to stderr. Colors follow --no-color, NO_COLOR and whether the
 * stream is a terminal.
 */
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

/** A fault as two lines: what happened, what to do. */
export function faultLines(fault: unknown): string[] {
  if (!(fault instanceof HarnessError)) return [`fault of ers-harness itself: ${messageOf(fault)}`];
  return [
    `error (${fault.code}): ${fault.message}`,
    // A hint may have a line for each thing to do.
    ...(fault.hint === undefined ? [] : fault.hint.split('\n').map((line) => `  ${line}`)),
  ];
}
