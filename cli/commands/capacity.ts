import { type Command, InvalidArgumentError } from 'commander';
import { ANC_OPERATION_NAMES, PROFILE_NAMES, type ProfileName } from '../../lib/contract/anc.ts';
import { defined } from '../../lib/defined.ts';
import { UsageError } from '../../lib/errors.ts';
import { type CapacityOptions, type CapacityPlan, planCapacity } from '../../load/capacity/capacity.ts';
import { capacityText, describeCapacity } from '../../load/capacity/describe.ts';
import { DEFAULT_CONNECTIONS } from '../../load/plan/plan.ts';
import {
  type AbortOptions,
  abortLimits,
  collect,
  integer,
  type TargetOptions,
  withPoolOptions,
  withRiskOptions,
  withTargetOptions,
} from '../options/options.ts';
import { type NamedPolicyPool, type PoolOptions, requiredPool } from '../options/pool.ts';
import { credentialsNeeded, targetConfig } from '../options/target.ts';
import { createOutput, type Output } from '../output/output.ts';
import { finish } from '../session/finish.ts';
import { type RunSession, startSession } from '../session/run-session.ts';
import { type RedactOptions, withRedactOption } from '../session/share.ts';
import { embeddedTarget, startEmbedded } from '../stages/embedded.ts';
import { capacityStage } from '../stages/load.ts';
import { chosen } from './load.ts';

interface CapacityCommandOptions extends TargetOptions, PoolOptions, AbortOptions, RedactOptions {
  readonly profile?: readonly string[];
  readonly operation: string;
  readonly sweep: readonly number[];
  readonly maxRate?: number;
  readonly dryRun?: boolean;
}

const SWEEP = [5, 10, 30, 100] as const;

function counts(text: string): readonly number[] {
  if (text === 'none') return [];
  const found = collect(text).map(Number);
  if (found.length === 0 || found.some((count) => !Number.isInteger(count) || count < 1)) {
    throw new InvalidArgumentError('numbers of connections such as 5,10,30,100 are needed, or none');
  }
  return found;
}

function searchOf(options: CapacityCommandOptions, profile: ProfileName, named: NamedPolicyPool): CapacityOptions {
  const [operation] = chosen('operation', ANC_OPERATION_NAMES, [options.operation]);
  if (operation === undefined) throw new UsageError('bad-operation', 'no operation is named');
  return {
    profile,
    operation,
    ...{ pool: named.pool, policy: named.policy, takeOver: named.takeOver },
    allowDisruptivePolicy: named.allowDisruptivePolicy,
    timeoutMs: Math.round(options.timeout * 1000),
    abort: abortLimits(options),
    connections: options.connections ?? DEFAULT_CONNECTIONS,
    sweep: options.sweep,
    ...defined({ maxRatePerSecond: options.maxRate }),
  };
}

async function searchEmbedded(session: RunSession, options: CapacityCommandOptions, output: Output): Promise<void> {
  for (const profile of chosen('profile', PROFILE_NAMES, options.profile ?? PROFILE_NAMES)) {
    if (session.signals.abort.aborted) return;
    const deployment = await startEmbedded(profile);
    try {
      const [policy] = deployment.policies;
      const pool = requiredPool({ endpoints: deployment.endpoints, ...defined({ policy }) });
      const { username, password } = deployment;
      const target = targetConfig(deployment.baseUrl, embeddedTarget(options), { username, password });
      output.say(`embedded deployment, profile ${profile}, ${deployment.sessions} sessions`);
      await capacityStage(session, { target, pool, plan: planCapacity(searchOf(options, profile, pool)) }, output);
    } finally {
      await deployment.close();
    }
  }
}

async function searchTarget(session: RunSession, options: CapacityCommandOptions, output: Output): Promise<void> {
  const target = targetConfig(options.baseUrl ?? '', options, credentialsNeeded());
  const pool = requiredPool(options);
  for (const profile of chosen('profile', PROFILE_NAMES, options.profile ?? [])) {
    if (session.signals.abort.aborted) return;
    await capacityStage(session, { target, pool, plan: planCapacity(searchOf(options, profile, pool)) }, output);
  }
}

/** The searches on the target; what cannot be searched is refused before a folder is made and before anything is sent. */
function searchesOf(options: CapacityCommandOptions): CapacityPlan[] {
  chosen('operation', ANC_OPERATION_NAMES, [options.operation]);
  const profiles = chosen('profile', PROFILE_NAMES, options.profile ?? []);
  if (options.baseUrl === undefined) return [];
  if (profiles.length === 0) {
    throw new UsageError('no-profile', 'a search on --base-url needs --profile', {
      hint: 'the profile is the size of the deployment as you declare it',
    });
  }
  const pool = requiredPool(options);
  return profiles.map((profile) => planCapacity(searchOf(options, profile, pool)));
}

/** Prints the searches and ends. */
function describe(options: CapacityCommandOptions, plans: readonly CapacityPlan[], output: Output): void {
  if (options.baseUrl === undefined) {
    throw new UsageError('dry-run-embedded', 'there is nothing to spare with --dry-run on the embedded deployment', {
      hint: 'name the target with --base-url',
    });
  }
  output.data(
    options.json === true ? JSON.stringify(plans.map(describeCapacity)) : plans.map(capacityText).join('\n\n'),
  );
}

async function capacity(options: CapacityCommandOptions): Promise<void> {
  const output = createOutput(options);
  const plans = searchesOf(options);
  if (options.dryRun === true) return describe(options, plans, output);
  const { baseUrl } = options;
  if (baseUrl !== undefined) targetConfig(baseUrl, options, credentialsNeeded());
  const session = startSession(
    {
      command: 'capacity',
      mode: 'full',
      seed: options.seed ?? 1,
      target: {
        baseUrl: baseUrl === undefined ? 'embedded' : targetConfig(baseUrl, options, credentialsNeeded()).baseUrl,
        embedded: baseUrl === undefined,
        insecure: options.insecure === true,
      },
      options: { ...options },
      ...defined({ out: options.out }),
    },
    output,
  );
  try {
    await (baseUrl === undefined ? searchEmbedded : searchTarget)(session, options, output);
  } catch (fault) {
    session.fault(fault);
  }
  finish(session, options, output);
}

/** `ers-harness capacity`: how much more than the published rate? */
export function capacityCommand(program: Command): void {
  const command = program
    .command('capacity')
    .description(
      'find the highest ANC rate that holds, and its headroom; without --base-url on the embedded deployment',
    )
    .option('--profile <name>', `deployment sizes: ${PROFILE_NAMES.join(', ')}; repeatable`, collect)
    .option('--operation <name>', `one of ${ANC_OPERATION_NAMES.join(', ')}`, 'apply-by-mac')
    .option('--dry-run', 'print what would be searched, and end')
    .option('--sweep <list>', 'numbers of connections to compare, or none', counts, SWEEP)
    .option('--max-rate <n>', 'highest rate that may be offered (default: 5000)', integer(1, 5000));
  withRedactOption(withRiskOptions(withPoolOptions(withTargetOptions(command))))
    .addHelpText(
      'after',
      '\nEach step doubles what has been proven to hold, until one does not; then the knee is closed in on, and repeated.' +
        '\n--connections sets those of the search (default: 100).' +
        '\n\nExamples:\n  ers-harness capacity --profile 60k' +
        '\n  ers-harness capacity --base-url https://policy.example.com:9060 --profile 60k --max-rate 1000 \\\n' +
        '    --endpoints 02:00:00:00:00:00+60000@10.0.0.0 --policy Load-Test',
    )
    .action(capacity);
}
