import * as z from 'zod';
import type { RunHeader } from './run.ts';
import { Depth } from './vocabulary.ts';

/** One value or several, as given. */
const Texts = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(z.string()).min(1));
const Text = z.string().min(1);
const Count = z.coerce.number().int().min(0);

/** Read if it is well-formed, else absent: records may come from anywhere. */
const ifValid = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/**
 * The options of a run that judgements and reports read, by the names under which they are recorded: those of the flags.
 * `cli/options/specs.ts` does not compile if no command has an option of one of these names.
 */
const RunOptions = z.object({
  family: ifValid(Texts),
  check: ifValid(Texts),
  profile: ifValid(Texts),
  operation: ifValid(Texts),
  depth: ifValid(Depth),
  strict: ifValid(z.boolean()),
  'allow-inconclusive': ifValid(Count),
  'allow-residue': ifValid(Count),
  title: ifValid(Text),
  author: ifValid(Text),
  endpoints: ifValid(Text),
  policy: ifValid(Text),
  'embedded-rate': ifValid(z.number()),
  // Compared between runs as they are.
  rate: z.unknown().optional(),
  tier: z.unknown().optional(),
  duration: z.unknown().optional(),
  ramp: z.unknown().optional(),
  connections: z.unknown().optional(),
  segments: z.unknown().optional(),
  background: z.unknown().optional(),
  'keep-alive': z.unknown().optional(),
  soak: z.unknown().optional(),
});
export type RunOptions = z.output<typeof RunOptions>;

/** Name of an option that is read from records. */
export type RunOptionName = keyof RunOptions;

/** Names of all of them. */
export const RUN_OPTION_NAMES = Object.keys(RunOptions.shape) as readonly RunOptionName[];

/** The recorded options of a run that reports read; one that is not well-formed is absent. */
export function runOptions({ options }: Pick<RunHeader, 'options'>): RunOptions {
  return RunOptions.parse(options);
}
