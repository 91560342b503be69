import type * as z from 'zod';
import { CHECK_IDS } from '../../conformance/catalog.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { readBaseline } from '../options/baseline/read-baseline.ts';
import { checkNeeds, poolIn, poolNeeds } from '../options/needs.ts';
import type { ConformanceCommandSpec, ExploreCommandSpec } from '../options/specs.ts';
import { givenTarget } from '../options/target.ts';
import type { Output } from '../output/output.ts';
import { startSession } from './run-session.ts';

/** A session against the deployment that the options name. Throws `UsageError` if something is missing, before a folder is made. */
export function startTargetSession<Spec extends typeof ConformanceCommandSpec | typeof ExploreCommandSpec>(
  command: string,
  spec: Spec,
  options: z.output<Spec> & { readonly mode: Mode; readonly seed: number },
  output: Output,
) {
  const { mode } = options;
  checkNeeds(options, ['--base-url', ...poolNeeds(mode, options), 'credentials']);
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline);
  const target = givenTarget(options);
  const pool = poolIn(mode, options);
  const session = startSession({ command, mode, spec, options, target, checks: CHECK_IDS }, output);
  if (baseline !== undefined) session.writer.baseline(baseline);
  return { session, target, pool, baseline };
}
