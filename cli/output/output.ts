import pc from 'picocolors';
import type { HarnessError } from '../../lib/errors.ts';

/** Where a command writes: results and data to stdout, progress and faults to stderr. */
export interface Output {
  readonly color: boolean;
  readonly quiet: boolean;
  /** A line for the reader; left out with --quiet. */
  readonly say: (line: string) => void;
  /** A line that --quiet does not silence. */
  readonly warn: (line: string) => void;
  /** A line of the result: stdout, or stderr where --json gives stdout to another program. */
  readonly result: (line: string) => void;
  /** Data for another program. */
  readonly data: (text: string) => void;
  readonly paint: ReturnType<typeof pc.createColors>;
  /** Colors of the lines of the result. */
  readonly resultPaint: ReturnType<typeof pc.createColors>;
}

/** Colors follow --no-color, NO_COLOR and whether the stream is a terminal. */
export function createOutput(options: { quiet?: boolean; color?: boolean; json?: boolean }): Output {
  const colored = options.color !== false && (process.env['NO_COLOR'] ?? '') === '';
  const color = colored && process.stderr.isTTY === true;
  const results = options.json === true ? process.stderr : process.stdout;
  const quiet = options.quiet === true;
  return {
    color,
    quiet,
    say: (line) => {
      if (!quiet) process.stderr.write(`${line}\n`);
    },
    warn: (line) => void process.stderr.write(`${line}\n`),
    result: (line) => void results.write(`${line}\n`),
    data: (text) => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    paint: pc.createColors(color),
    resultPaint: pc.createColors(colored && results.isTTY === true),
  };
}

/** A fault as two lines: what happened, what to do. */
export function faultLines(fault: HarnessError): string[] {
  return [`error (${fault.code}): ${fault.message}`, ...(fault.hint === undefined ? [] : [`  ${fault.hint}`])];
}
