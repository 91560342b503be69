import type { Command } from 'commander';
import type * as z from 'zod';
import { UsageError } from '../../lib/errors.ts';
import { checkFree } from '../../lib/records/folder/writer.ts';
import { bind } from '../options/bind.ts';
import { checkNeeds, loadPool, POOL } from '../options/needs.ts';
import { LoadCommandSpec } from '../options/specs.ts';
import { givenTarget } from '../options/target.ts';
import { createOutput } from '../output/output.ts';
import { finish } from '../session/finish.ts';
import { startSession } from '../session/run-session.ts';
import { clusterOf, emitKubernetes, loadPlan, loadStage } from '../stages/load.ts';

type Options = z.output<typeof LoadCommandSpec>;

async function load(options: Options): Promise<void> {
  const output = createOutput(options);
  if (options.out !== undefined) checkFree(options.out);
  const sends = !options.dryRun && options.emitKubernetes === undefined;
  checkNeeds(options, ['--base-url', '--profile', ...POOL, ...(sends ? (['credentials'] as const) : [])]);
  const pool = loadPool(options);
  const { plan, describe } = loadPlan(options, pool);
  const isElsewhere = (options.emitKubernetes ?? options.cluster) !== undefined;
  if (options.cert !== undefined && isElsewhere)
    throw new UsageError('client-certificate', 'client certificates are not carried into a cluster', {
      hint: 'leave out --cert and --key, or load from this machine',
    });
  if (options.segments > 1 && !isElsewhere)
    throw new UsageError('segments-here', '--segments works only with --emit-kubernetes or --cluster', {
      hint: 'remove --segments: one k6 uses all processors of this machine',
    });
  if (options.csrf && !isElsewhere) {
    throw new UsageError('csrf-known', '--csrf works only with --emit-kubernetes or --cluster', {
      hint: 'remove --csrf: a load asks the target whether it requires tokens',
    });
  }
  if (options.dryRun) return output.data(describe(options.json, options.baseUrl ?? ''));
  if (options.emitKubernetes !== undefined) return emitKubernetes(options.emitKubernetes, plan, options, output);
  const target = givenTarget(options);
  const cluster = options.cluster === undefined ? undefined : clusterOf(options.cluster, plan, options, output);
  const session = startSession({ command: 'load', mode: 'full', spec: LoadCommandSpec, options, target }, output);
  await loadStage(session, { target, plan, pool, cluster }, output);
  finish(session, options, output);
}

export const loadCommand = (program: Command): Command =>
  bind(program.command('load'), LoadCommandSpec, load, {
    does: 'drive ANC apply and clear at the published rate',
    examples: [
      'load --base-url https://policy.example.com:9060 --profile 60k \\',
      '  --endpoints 02:00:00:00:00:00+60000@10.0.0.0 --policy Load-Test --depth normal',
    ],
  });
