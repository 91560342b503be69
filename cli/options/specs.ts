import * as z from 'zod';
import { ConformanceSpec, templateOption } from '../../conformance/engine/spec.ts';
import { ExploreSpec } from '../../conformance/explore/spec.ts';
import { PoolSpec } from '../../lib/client/anc/pool.ts';
import { TargetSpec } from '../../lib/client/target-spec.ts';
import { choice, flag, option, text } from '../../lib/option.ts';
import { RunOptions } from '../../lib/records/run-options.ts';
import { Depth, Mode } from '../../lib/records/vocabulary.ts';
import { CapacitySpec } from '../../load/capacity/spec.ts';
import { LoadSpec } from '../../load/plan/spec.ts';
import { ServeSpec } from '../../reference/spec.ts';
import { HistorySpec, LiveSpec, OutputSpec, RedactSpec, TargetCommandSpec } from './options.ts';

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
