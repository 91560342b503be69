import type * as z from 'zod';
import type { TargetConfig } from '../../lib/client/types.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import type { NamedPolicyPool } from '../../load/plan/named-pool.ts';
import { readBaseline } from '../options/baseline/read-baseline.ts';
import { checkNeeds, POOL } from '../options/needs.ts';
import { requiredPool } from '../options/pool.ts';
import type { ConformanceCommandSpec, ExploreCommandSpec } from '../options/specs.ts';
import { credentialsNeeded, targetConfig } from '../options/target.ts';
import type { Output } from '../output/output.ts';
import { type RunSession, startSession } from './run-session.ts';

/** The command, its options as they apply, and the schema that says which of them are recorded. */
export interface TargetSessionOptions<Spec extends typeof ConformanceCommandSpec | typeof ExploreCommandSpec> {
  readonly command: string;
  readonly spec: Spec;
  readonly options: z.output<Spec> & { readonly mode: Mode; readonly seed: number };
}

/** A session against the deployment that the options name; with a pool in mode full. */
export interface TargetSession {
  readonly session: RunSession;
  readonly target: TargetConfig;
  readonly pool: NamedPolicyPool | undefined;
  readonly baseline: ReturnType<typeof readBaseline> | undefined;
}

/** Reads what the options name and opens the run folder. Throws `UsageError` where something is missing, before a folder is made. */
export function startTargetSession<Spec extends typeof ConformanceCommandSpec | typeof ExploreCommandSpec>(
  { command, spec, options }: TargetSessionOptions<Spec>,
  output: Output,
): TargetSession {
  const { mode, baseUrl, environment } = options;
  checkNeeds(options, ['--base-url', ...(mode === 'full' ? POOL : []), 'credentials']);
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline);
  const target = targetConfig(baseUrl ?? '', options, credentialsNeeded(environment));
  const pool = mode === 'full' ? requiredPool(options) : undefined;
  const session = startSession({ command, mode, spec, options, target }, output);
  if (baseline !== undefined) session.writer.baseline(baseline);
  return { session, target, pool, baseline };
}
