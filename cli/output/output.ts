import pc from 'picocolors';
import type { HarnessError } from '../../lib/errors.ts';
import { inertJson, inertLine, scrubbed } from '../../lib/outgoing.ts';
import { asTyped } from './program.ts';

/** Where a command writes: results and data to stdout, progress and faults to stderr. */
export interface Output {
  readonly color: boolean;
  readonly quiet: boolean;
  /** A line for the reader; left out with --quiet. */
  readonly say: (line: string) => void;
  /** The same, for what holds for all of a run: said the first time. */
  readonly sayOnce: (line: string) => void;
  /** A line that --quiet does not silence. */
  readonly warn: (line: string) => void;
  /** A line of the result: stdout, or stderr where --json gives stdout to another program. */
  readonly result: (line: string) => void;
  /** An error for GitHub Actions to show beside the run; nothing elsewhere. */
  readonly annotate: (text: string) => void;
  /** Data for another program. */
  readonly data: (text: string) => void;
  readonly paint: ReturnType<typeof pc.createColors>;
  /** Colors of the lines of the result. */
  readonly resultPaint: ReturnType<typeof pc.createColors>;
}

/** A line as it is printed: without the login, and without anything that a terminal or a CI system would act on. */
const outgoing = (line: string, colored = false): string => `${inertLine(scrubbed(asTyped(line)), colored)}\n`;

/** Data as it is printed: JSON stays the same value, other text is a line for each of its lines. */
function outgoingData(text: string): string {
  const held = scrubbed(text.endsWith('\n') ? text.slice(0, -1) : text);
  const isJson = /^\s*[[{]/.test(held);
  return `${
    isJson
      ? inertJson(held)
      : held
          .split('\n')
          .map((line) => inertLine(asTyped(line)))
          .join('\n')
  }\n`;
}

/** Help and usage errors, line by line, as they are printed. */
export const outgoingLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => inertLine(scrubbed(line)))
    .join('\n');

/** Colors follow --no-color, NO_COLOR and whether the stream is a terminal. */
export function createOutput(options: { quiet?: boolean; color?: boolean; json?: boolean }): Output {
  const colored = options.color !== false && (process.env['NO_COLOR'] ?? '') === '';
  const color = colored && process.stderr.isTTY === true;
  const results = options.json === true ? process.stderr : process.stdout;
  const resultColor = colored && results.isTTY === true;
  const quiet = options.quiet === true;
  const saidOnce = new Set<string>();
  const say = (line: string) => {
    if (!quiet) process.stderr.write(outgoing(line));
  };
  return {
    color,
    quiet,
    say,
    sayOnce(line) {
      if (!saidOnce.has(line)) say(line);
      saidOnce.add(line);
    },
    warn: (line) => void process.stderr.write(outgoing(line)),
    result: (line) => void results.write(outgoing(line, resultColor)),
    annotate: (text) => {
      if (process.env['GITHUB_ACTIONS'] !== 'true') return;
      const held = inertLine(scrubbed(text))
        .replaceAll('%', '%25')
        .replace(/[\r\n]+/g, ' ');
      results.write(`::error title=ers-harness::${held}\n`);
    },
    data: (text) => void process.stdout.write(outgoingData(text)),
    paint: pc.createColors(color),
    resultPaint: pc.createColors(resultColor),
  };
}

/** A fault as two lines: what happened, what to do. */
export function faultLines(fault: HarnessError): string[] {
  return [
    `error (${fault.code}): ${fault.message}`,
    // A hint may have a line for each thing to do.
    ...(fault.hint === undefined ? [] : fault.hint.split('\n').map((line) => `  ${line}`)),
  ];
}
