import * as z from 'zod';
import { ConformanceSpec, templateOption } from '../../conformance/engine/spec.ts';
import { ExploreSpec } from '../../conformance/explore/spec.ts';
import { PoolSpec } from '../../lib/client/anc/pool.ts';
import { TargetSpec } from '../../lib/client/target-spec.ts';
import { choice, flag, onOff, option, text, whole } from '../../lib/option.ts';
import { RunOptions } from '../../lib/records/run-options.ts';
import { Depth, Mode } from '../../lib/records/vocabulary.ts';
import { CapacitySpec } from '../../load/capacity/spec.ts';
import { LoadSpec } from '../../load/plan/spec.ts';
import { ServeSpec } from '../../reference/spec.ts';

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

const LiveSpec = z.object({
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

/** What stands first in the help of a command that talks to a target. */
const FIRST = TargetSpec.pick({ baseUrl: true, ca: true, insecure: true }).shape;

/** What stands last: the pool, and what becomes of the run beside its folder. */
const RUN = { ...PoolSpec.shape, ...LiveSpec.shape, ...RedactSpec.shape, ...HistorySpec.shape };

export const VerifyCommandSpec = z.object({
  ...FIRST,
  ...ConformanceSpec.pick({
    mode: true,
    allowInconclusive: true,
    allowResidue: true,
    strict: true,
    baseline: true,
    retry: true,
    deadlineSeconds: true,
  }).shape,
  ...LoadSpec.omit({ segments: true }).shape,
  depth: option('--depth <depth>', 'how much and how long: quick, normal or deep', choice(Depth.options).optional(), {
    otherwise: 'normal for the checks, quick for the load',
    env: 'ERS_DEPTH',
  }),
  ...TargetCommandSpec.shape,
  ...RUN,
  dryRun: flag('--dry-run', 'print the exact plan, and end', { once: true }),
});

export const ConformanceCommandSpec = z.object({
  ...FIRST,
  ...ConformanceSpec.shape,
  ...TargetCommandSpec.shape,
  ...RUN,
  dryRun: flag('--dry-run', 'print the planned checks, and end', { once: true }),
});

export const DoctorCommandSpec = z.object({
  ...FIRST,
  mode: option(
    '--mode <mode>',
    'own-data: also make one record in each family, change and remove it; full: also apply and clear one endpoint',
    choice(Mode.options).optional(),
    { otherwise: 'read-only; ANC is tried once if endpoints and a policy are named' },
  ),
  templates: templateOption,
  ...TargetCommandSpec.shape,
  ...PoolSpec.shape,
});

export const ExploreCommandSpec = z.object({
  ...FIRST,
  ...TargetCommandSpec.shape,
  ...PoolSpec.shape,
  ...ExploreSpec.shape,
});

export const LoadCommandSpec = z.object({
  ...FIRST,
  ...LoadSpec.shape,
  ...TargetCommandSpec.shape,
  ...RUN,
  dryRun: flag('--dry-run', 'print the exact plan, and end', { once: true }),
  emitKubernetes: option(
    '--emit-kubernetes <dir>',
    'write TestRun manifests for the k6-operator into a new folder, and end',
    text().optional(),
    { once: true, help: 'all' },
  ),
  cluster: option(
    '--cluster <dir>',
    'run the cells on the cluster of kubectl with the manifests in this folder; a new folder is filled first',
    text().optional(),
    { once: true, help: 'all' },
  ),
  csrf: flag('--csrf', 'with --emit-kubernetes or --cluster: the target requires CSRF tokens (detected otherwise)', {
    once: true,
    help: 'all',
  }),
});

export const CapacityCommandSpec = z.object({
  ...FIRST,
  ...TargetCommandSpec.shape,
  ...CapacitySpec.shape,
  ...RUN,
  dryRun: flag('--dry-run', 'print the planned search, and end', { once: true }),
});

export const ServeCommandSpec = z.object({
  familyFiles: RunOptions.shape.familyFiles,
  ...ServeSpec.shape,
  quiet: OutputSpec.shape.quiet,
});

/** What each command is started with, by its name; a section of the configuration file has the same name. */
export const COMMAND_SPECS = {
  verify: VerifyCommandSpec,
  conformance: ConformanceCommandSpec,
  load: LoadCommandSpec,
  capacity: CapacityCommandSpec,
  serve: ServeCommandSpec,
} as const satisfies Readonly<Record<string, z.ZodObject>>;
