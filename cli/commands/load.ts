import type { Command } from 'commander';
import { ANC_OPERATION_NAMES, PROFILE_NAMES } from '../../lib/contract/anc.ts';
import { defined } from '../../lib/defined.ts';
import { UsageError } from '../../lib/errors.ts';
import { checkOutputs } from '../../load/k6/command.ts';
import {
  type AbortOptions,
  abortLimits,
  collect,
  integer,
  positive,
  seconds,
  secondsOrNone,
  type TargetOptions,
  withPoolOptions,
  withRiskOptions,
  withTargetOptions,
} from '../options/options.ts';
import { type PoolOptions, requiredPool } from '../options/pool.ts';
import { credentialsNeeded, targetConfig } from '../options/target.ts';
import { createOutput } from '../output/output.ts';
import { finish } from '../session/finish.ts';
import { startSession } from '../session/run-session.ts';
import { type RedactOptions, withRedactOption } from '../session/share.ts';
import { emitKubernetes } from '../stages/emit-kubernetes.ts';
import { type LoadSelection, loadPlan, loadStage } from '../stages/load.ts';

export interface LoadShapeOptions extends AbortOptions {
  readonly profile?: readonly string[];
  readonly operation?: readonly string[];
  readonly rate?: number;
  readonly tier?: string;
  readonly duration?: number;
  /** Seconds; 0 for none. */
  readonly ramp?: number;
  readonly connections?: number;
  readonly segments?: number;
  /** Seconds. */
  readonly soak?: number;
  readonly keepAlive?: boolean;
  readonly background?: number;
  /** Seconds. */
  readonly maxLag?: number;
  readonly timeout: number;
}

export interface LoadCommandOptions extends TargetOptions, PoolOptions, LoadShapeOptions, RedactOptions {
  readonly dryRun?: boolean;
  readonly k6Out?: readonly string[];
  readonly emitKubernetes?: string;
  readonly csrf?: boolean;
}

/** Names of the tables, as given. Throws `UsageError` that lists them. */
export function chosen<T extends string>(what: string, names: readonly T[], given: readonly string[]): readonly T[] {
  return given.map((name) => {
    const found = names.find((known) => known === name);
    if (found === undefined)
      throw new UsageError(`bad-${what}`, `no ${what} ${name}`, { hint: `one of ${names.join(', ')}` });
    return found;
  });
}

/** What to load, from the options; every name is checked against the tables. */
export function loadSelection(options: LoadShapeOptions, defaults: { profiles: readonly string[] }): LoadSelection {
  const tier = chosen('tier', ['quick', 'nightly', 'full'] as const, [options.tier ?? 'quick'])[0] ?? 'quick';
  return {
    profiles: chosen('profile', PROFILE_NAMES, options.profile ?? defaults.profiles),
    operations: chosen('operation', ANC_OPERATION_NAMES, options.operation ?? ANC_OPERATION_NAMES),
    tier,
    timeoutSeconds: options.timeout,
    abort: abortLimits(options),
    ...defined({
      rate: options.rate,
      durationSeconds: options.duration,
      rampSeconds: options.ramp,
      connections: options.connections,
      segments: options.segments,
      soakSeconds: options.soak,
    }),
    ...(options.keepAlive === false ? { keepAlive: false } : {}),
    ...defined({ backgroundPerSecond: options.background }),
    ...(options.maxLag === undefined ? {} : { lagLimitMs: options.maxLag * 1000 }),
  };
}

async function load(options: LoadCommandOptions): Promise<void> {
  const output = createOutput(options);
  const selection = loadSelection(options, { profiles: [] });
  if (options.baseUrl === undefined || selection.profiles.length === 0) {
    throw new UsageError('no-target', 'a load needs --base-url and --profile', {
      hint: 'the profile is the size of the deployment as you declare it; or run `ers-harness verify`, which brings its own',
    });
  }
  const pool = requiredPool(options);
  const plan = loadPlan(selection, pool);
  checkOutputs(options.k6Out ?? [], options.segments);
  if (options.csrf === true && options.emitKubernetes === undefined) {
    throw new UsageError('csrf-known', '--csrf is for --emit-kubernetes alone', {
      hint: 'leave it out: a load asks the target whether it demands tokens',
    });
  }
  if (options.dryRun === true) return output.data(plan.describe(options.json === true));
  if (options.emitKubernetes !== undefined) return emitKubernetes(options.emitKubernetes, plan.plan, options, output);
  const target = targetConfig(options.baseUrl, options, credentialsNeeded());
  const session = startSession(
    {
      command: 'load',
      mode: 'full',
      seed: options.seed ?? 1,
      target: { baseUrl: target.baseUrl, embedded: false, insecure: options.insecure === true },
      options: { ...options },
      ...defined({ out: options.out }),
    },
    output,
  );
  const outputs = options.k6Out === undefined ? {} : { k6Outputs: options.k6Out };
  await loadStage(session, { target, plan: plan.plan, pool, ...outputs }, output);
  finish(session, options, output);
}

/** Options that shape a load, shared with `verify`. */
export function withLoadOptions(command: Command): Command {
  return command
    .option('--profile <name>', `deployment sizes: ${PROFILE_NAMES.join(', ')}; repeatable`, collect)
    .option(
      '--operation <name>',
      `ANC operations: ${ANC_OPERATION_NAMES.join(', ')} (default: all); repeatable`,
      collect,
    )
    .option(
      '--rate <n>',
      'arrivals per second, from 1, such as 62.5 (default: that of the specification, 250)',
      positive,
    )
    .option('--tier <name>', 'quick: seconds a cell; nightly: a minute; full: one pass over the population', 'quick')
    .option('--duration <time>', 'measured time of each cell, instead of the one of the tier', seconds)
    .option(
      '--ramp <time>',
      'unmeasured ramp-up to the rate before each cell, 0 for none (default: 10s; none in the quick tier)',
      secondsOrNone,
    )
    .option('--max-lag <time>', 'lag of the generator beyond which a cell is invalid (default: 10ms)', seconds)
    .option('--soak <time>', 'run the cells iteration after iteration, for this much measured time in all', seconds)
    .option(
      '--background <n>',
      'list pages, reads, creates, updates and deletes beside the load, this many a second',
      integer(1, 100),
    )
    .option('--no-keep-alive', 'a new connection for each transaction, to compare');
}

/** `ers-harness load`: does the deployment hold the published ANC rate? */
export function loadCommand(program: Command): void {
  const command = program
    .command('load')
    .description('drive ANC apply and clear at the published rate')
    .option('--dry-run', 'print the exact plan, and end')
    .option(
      '--segments <n>',
      'k6 processes that share the arrivals of each cell, with one common start',
      integer(1, 64),
    )
    .option('--emit-kubernetes <dir>', 'write TestRun manifests for the k6-operator into a new folder, and end')
    .option('--csrf', 'with --emit-kubernetes: the target demands CSRF tokens (otherwise this is found out)')
    .option(
      '--k6-out <output>',
      'a further output of k6, such as experimental-prometheus-rw, opentelemetry or json=points.json.gz; repeatable',
      (text: string, before: readonly string[] = []) => [...before, text],
    );
  withRedactOption(withRiskOptions(withPoolOptions(withLoadOptions(withTargetOptions(command)))))
    .addHelpText(
      'after',
      '\nExample:\n  ers-harness load --base-url https://policy.example.com:9060 --profile 60k \\\n' +
        '    --endpoints 02:00:00:00:00:00+60000@10.0.0.0 --policy Load-Test --tier nightly',
    )
    .action(load);
}
