import pc from 'picocolors';
import type { HarnessError } from '../../lib/errors.ts';

/** Where a command writes: data to stdout, everything a person reads to stderr. */
export interface Output {
  readonly color: boolean;
  readonly quiet: boolean;
  /** A line for the reader; left out with --quiet. */
  readonly say: (line: string) => void;
  /** A line that --quiet does not silence. */
  readonly warn: (line: string) => void;
  /** Data for another program. */
  readonly data: (text: string) => void;
  readonly paint: ReturnType<typeof pc.createColors>;
}

/** Colors follow --no-color, NO_COLOR and whether stderr is a terminal. */
export function createOutput(options: { quiet?: boolean; color?: boolean }): Output {
  const color = options.color !== false && pc.isColorSupported && process.stderr.isTTY === true;
  const quiet = options.quiet === true;
  return {
    color,
    quiet,
    say: (line) => {
      if (!quiet) process.stderr.write(`${line}\n`);
    },
    warn: (line) => void process.stderr.write(`${line}\n`),
    data: (text) => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    paint: pc.createColors(color),
  };
}

/** A fault as two lines: what happened, what to do. */
export function faultLines(fault: HarnessError): string[] {
  return [`error (${fault.code}): ${fault.message}`, ...(fault.hint === undefined ? [] : [`  ${fault.hint}`])];
}
