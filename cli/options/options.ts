import * as z from 'zod';
import { TargetSpec } from '../../lib/client/target-spec.ts';
import { option } from '../../lib/option.ts';
import { text, whole } from '../../lib/option-values.ts';
import { RunOptions } from '../../lib/records/run-options.ts';
import { OutputSpec } from './output-spec.ts';

/** Options of every command that talks to a target and writes a run folder. */
export const TargetCommandSpec = z.object({
  ...TargetSpec.shape,
  target: option('--target <name>', 'target of the configuration file', text().optional(), {
    otherwise: 'the one that it names',
    env: 'ERS_TARGET',
    once: true,
    help: 'all',
  }),
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
  baseUrl: option('--base-url <url>', 'the deployment that the run wrote to; always needed', text().optional(), {
    once: true,
  }),
  seed: option('--seed <n>', 'seed of generated data and order', whole(0, 0xffffffff).optional(), {
    otherwise: 'that of the run',
    once: true,
  }),
});
