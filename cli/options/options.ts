import * as z from 'zod';
import { TargetSpec } from '../../lib/client/target-spec.ts';
import { option } from '../../lib/option.ts';
import { text, whole } from '../../lib/option-values.ts';
import { RunOptions } from '../../lib/records/run-options.ts';
import { OutputSpec } from './output-spec.ts';

/** Options of every command that talks to a target and writes a run folder. */
export const TargetCommandSpec = z.object({
  ...TargetSpec.shape,
  target: option(
    {
      flag: '--target <name>',
      text: 'target of the configuration file',
      otherwise: 'the one that it names',
      env: 'ERS_TARGET',
      once: true,
      help: 'all',
    },
    text().optional(),
  ),
  familyFiles: RunOptions.shape.familyFiles,
  ...OutputSpec.shape,
  /** Where the login is looked for: the environment, with what the configuration file refers to. It is no option. */
  environment: z.custom<NodeJS.ProcessEnv>().optional(),
});

/**
 * The same for commands that go back to the target of a run. Only a flag says which: neither the run folder nor a variable or a
 * configuration file decides where the login goes.
 */
export const RunTargetSpec = z.object({
  ...TargetCommandSpec.shape,
  baseUrl: option(
    { flag: '--base-url <url>', text: 'the deployment that the run wrote to; always needed', once: true },
    text().optional(),
  ),
  seed: option(
    { flag: '--seed <n>', text: 'seed of generated data and order', otherwise: 'that of the run', once: true },
    whole(0, 0xffffffff).optional(),
  ),
});
