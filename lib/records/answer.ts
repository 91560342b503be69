import * as z from 'zod';
import { shellQuoted } from '../curl.ts';
import type { RunHeader } from './run.ts';
import { DifferenceKind, textLists } from './vocabulary.ts';

const Source = z.object({ kind: z.enum(['cell', 'check', 'exchange']), id: z.string() });

export const Figure = z.object({ text: z.string(), from: z.array(Source) });
export type Figure = z.infer<typeof Figure>;

/** A sentence about one fact, and what it says of that fact, as words for a program. */
export const Statement = z.object({
  /** The fact: `load 60k apply-by-mac`, `clean-up`. */
  about: z.string(),
  /** What is said of it: `met`, `refused`. Two statements about one fact say the same. */
  says: z.string(),
  words: z.array(z.union([z.string(), Figure])),
});
export type Statement = z.infer<typeof Statement>;

export const Reason = Statement.extend({ code: z.int() });
export type Reason = z.infer<typeof Reason>;

export const Ending = z.enum([
  ...(['met', 'nothing-new', 'mended', 'too-slow', 'refused', 'failed', 'new-failures'] as const),
  ...(['invalid', 'not-confirmed', 'unclear', 'out-of-time', 'interrupted', 'left', 'not-tested', 'crashed'] as const),
]);
export type Ending = z.infer<typeof Ending>;

export const Tone = z.enum(['good', 'bad', 'open']);
export type Tone = z.infer<typeof Tone>;

/** Arguments of a command, without the name of the program; `RUN` stands for the folder of the run. */
export const RUN = '{run}';

/** The one answer of a run: everything that is said of it first, wherever it is said. */
export const Answer = z.object({
  ending: Ending,
  tone: Tone,
  asked: z.string(),
  sentence: Statement,
  /** Why the run ends as it ends beside what the sentence says, the weightiest first; `exit.reasons` has all. */
  reasons: z.array(Reason),
  notShown: z.array(Statement),
  next: z.array(z.object({ text: z.string(), args: z.array(z.string()) })),
});
export type Answer = z.infer<typeof Answer>;

export const statementText = ({ words }: Pick<Statement, 'words'>): string =>
  words.map((word) => (typeof word === 'string' ? word : word.text)).join('');

export const Cause = z.object({
  /** Name of the cause, the same in every run: `CNV-HDR create refused: header accept`. */
  id: z.string(),
  title: z.string(),
  /** Requirements that it violates, most frequent first; `*` stands for the family. */
  requirements: z.array(z.string()),
  /** The operation and the kind of difference that its failures have in common; absent if they have none. */
  operation: z.string().optional(),
  kind: DifferenceKind.optional(),
  /** What its failures are about, most frequent first: `header accept`, `filter name.EQ`. */
  subjects: z.array(z.string()),
  ...textLists('families', 'checks', 'results'),
  /** The failure that tells most, and the exchange that shows it. */
  example: z.object({ result: z.string(), exchange: z.string().optional() }).optional(),
  /** True if it does not fail the run: a baseline expects it, or all of it is of requirements that the baseline's set lacks. */
  expected: z.boolean(),
  newRequirement: z.literal(true).optional(),
});
export type Cause = z.infer<typeof Cause>;

/** A word as a shell takes it. */
export const shellWord = (text: string): string => (/^[\w./:@,+=-]+$/.test(text) ? text : shellQuoted(text));

/** A command of the program as it is typed, with the run in the place that stands for it. */
export const commandLine = (args: readonly string[], run: string): string =>
  ['npx ers-harness', ...args.map((arg) => shellWord(arg === RUN ? run : arg))].join(' ');

/** The folder that a run was written to, as it is typed where the run was started: every command takes it, an id is of `report` alone. */
export function folderOf({ options, runId }: Pick<RunHeader, 'options' | 'runId'>): string {
  const { out } = options;
  return typeof out === 'string' ? out : `runs/${runId}`;
}
