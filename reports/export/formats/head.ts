import { excerpt, visibleText } from '../../../lib/text.ts';
import type { Script } from '../script.ts';

/** A text of a record on one line, without what a terminal would act on. */
export const oneLine = (text: string): string => excerpt(visibleText(text).replace(/\s+/g, ' ').trim(), 300);

/** What goes wrong, for an assertion that fails: one short line. */
export const saidOf = ({ expected }: Script): string => expected.replace(/\s+/g, ' ').slice(0, 300);

/** First digit of the status that an answer has to have. */
export const STATUS_CLASS = { taken: 2, refused: 4, any: 0 } as const;

/** What a file says first, as comments: what goes wrong, what was asked for and seen, and how it is run. Each element is one line. */
export function headLines(
  { cause, requirement, expected, observed, notes }: Script,
  run: readonly string[],
): readonly string[] {
  return [
    oneLine(cause.title),
    `Cause: ${oneLine(cause.id)}`,
    `Required: ${oneLine(requirement)}`,
    `Expected: ${oneLine(expected)}`,
    `Observed: ${oneLine(observed)}`,
    '',
    ...notes,
    'ERS_BASE_URL, ERS_USERNAME and ERS_PASSWORD name the deployment and hold the login. Ids that it gives are taken',
    'from its answers, names are those of the run or made anew. What the file made is removed at the end.',
    ...run,
  ].map((text) => `# ${text}`.trimEnd());
}

/** A regular expression for one JSON member with a value, in the common part of all dialects. */
export function memberPattern(member: string, value: unknown, blank = '\\s*'): string {
  const quoted = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return `"${quoted(member)}"${blank}:${value === undefined ? '' : `${blank}${quoted(JSON.stringify(value))}`}`;
}
