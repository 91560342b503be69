import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { FAMILIES } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { UsageError } from '../../lib/errors.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { readBaseline, writeBaseline } from '../options/baseline-file.ts';
import {
  collect,
  modeOption,
  seconds,
  type TargetOptions,
  withPoolOptions,
  withTargetOptions,
} from '../options/options.ts';
import { type PoolOptions, requiredPool } from '../options/pool.ts';
import { credentialsNeeded, targetConfig } from '../options/target.ts';
import { createOutput } from '../output/output.ts';
import { finish } from '../session/finish.ts';
import { startSession } from '../session/run-session.ts';
import { type RedactOptions, withRedactOption } from '../session/share.ts';
import { conformancePlan, conformanceStage } from '../stages/conformance.ts';

export interface ConformanceCommandOptions extends TargetOptions, PoolOptions, RedactOptions {
  readonly mode?: Mode;
  readonly family?: readonly string[];
  readonly check?: readonly string[];
  readonly list?: boolean;
  readonly dryRun?: boolean;
  readonly strict?: boolean;
  readonly deadline: number;
  readonly baseline?: string;
  readonly updateBaseline?: string;
  readonly retry?: boolean;
}

/** Names that the tables do not know end the command before anything is sent. */
function checkedFamilies(names: readonly string[] | undefined): readonly string[] | undefined {
  const unknown = names?.filter((name) => !(name in FAMILIES)) ?? [];
  if (unknown.length > 0) {
    throw new UsageError('unknown-family', `no family ${unknown.join(', ')}`, {
      hint: `one of ${Object.keys(FAMILIES).join(', ')}`,
    });
  }
  return names;
}

async function conformance(options: ConformanceCommandOptions): Promise<void> {
  const output = createOutput(options);
  const mode = options.mode ?? 'read-only';
  const seed = options.seed ?? 1;
  const selection = { families: checkedFamilies(options.family), checks: options.check, mode, seed };
  const plan = conformancePlan(selection);
  if (options.list === true || options.dryRun === true) return output.data(plan.describe(options.json === true));
  if (options.baseUrl === undefined) {
    throw new UsageError('no-base-url', 'no deployment is named', {
      hint: 'give --base-url URL, or run `ers-harness verify`, which brings a deployment of its own',
    });
  }
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline);
  if (options.updateBaseline !== undefined && existsSync(options.updateBaseline)) readBaseline(options.updateBaseline);
  const target = targetConfig(options.baseUrl, options, credentialsNeeded());
  const pool = mode === 'full' ? requiredPool(options) : undefined;
  const session = startSession(
    {
      command: 'conformance',
      mode,
      seed,
      target: { baseUrl: target.baseUrl, embedded: false, insecure: options.insecure === true },
      options: { ...options },
      ...defined({ out: options.out }),
    },
    output,
  );
  if (baseline !== undefined) session.writer.baseline(baseline);
  const { deadline: deadlineSeconds, retry } = options;
  await conformanceStage(session, { target, ...selection, pool, deadlineSeconds, retry }, output);
  const report = finish(session, options, output);
  if (options.updateBaseline !== undefined) writeBaseline(options.updateBaseline, report);
}

/** `ers-harness conformance`: does the deployment do what the specification says? */
export function conformanceCommand(program: Command): void {
  const command = program
    .command('conformance')
    .description('check every family against the specification')
    .addOption(modeOption().default(undefined, 'read-only'))
    .option('--family <name>', 'only these families; repeatable', collect)
    .option('--check <id>', 'only these checks, or those below a prefix such as list/; repeatable', collect)
    .option('--strict', 'a violated implied requirement fails the run')
    .option('--baseline <file>', 'YAML file of failures that are expected; only others end with exit 1')
    .option('--update-baseline <file>', 'write the failures of this run as entries that wait for their reasons')
    .option(
      '--no-retry',
      'do not try failures again: then nothing tells which are flaky (a failure stays one either way)',
    )
    .option('--deadline <time>', 'time after which no further check starts', seconds, 1800)
    .option('--list', 'print what would be checked, and end')
    .option('--dry-run', 'the same as --list');
  withRedactOption(withPoolOptions(withTargetOptions(command)))
    .addHelpText(
      'after',
      '\nExamples:\n  ers-harness conformance --base-url https://policy.example.com:9060\n' +
        '  ers-harness conformance --base-url https://policy.example.com:9060 --mode own-data --check list/\n' +
        '  ers-harness conformance --base-url https://policy.example.com:9060 --baseline expected.yaml',
    )
    .action(conformance);
}
