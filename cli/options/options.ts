import * as z from 'zod';
import { TargetSpec } from '../../lib/client/target-spec.ts';
import { choice, flag, onOff, option, text, whole } from '../../lib/option.ts';
import { RunOptions } from '../../lib/records/run-options.ts';

export const JsonSpec = z.object({
  json: flag('--json', 'print one JSON document, by docs/output.schema.json', { once: true }),
});
export type JsonSpec = z.output<typeof JsonSpec>;

export const OutputSpec = z.object({
  out: option('--out <dir>', 'folder of the run', text().optional(), { otherwise: 'runs/<run-id>', once: true }),
  quiet: flag('--quiet', 'no progress, only errors and the result', {
    env: 'ERS_QUIET',
    help: 'all',
  }),
  color: option('--no-color', 'no color', onOff().default(true), { help: 'all' }),
  json: flag('--json', 'print the result as one JSON document to stdout'),
  debug: flag('--debug', 'show the stack of a fault', { help: 'all' }),
});
export type OutputSpec = z.output<typeof OutputSpec>;

export const LiveSpec = z.object({
  live: flag('--live', 'serve a page of the run while it goes on', { once: true }),
});

export const RedactSpec = z.object({
  redact: option(
    '--redact <what>',
    'share: also write reports to <run>/share with pseudonyms for MAC addresses, IP addresses and host names',
    choice(['share']).optional(),
    { help: 'all' },
  ),
});
export type RedactSpec = z.output<typeof RedactSpec>;

export const NO_HISTORY = 'none';

export const HistorySpec = z.object({
  history: option(
    '--history <file>',
    'history file to which the finished run adds one line; none turns it off',
    text().optional(),
    { otherwise: 'history.ndjson beside the run folder, so runs/history.ndjson', env: 'ERS_HISTORY', help: 'all' },
  ),
});
export type HistorySpec = z.output<typeof HistorySpec>;

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

/** The same for commands that go back to the target of a run. Only a flag says which: nothing else decides where the login goes. */
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
