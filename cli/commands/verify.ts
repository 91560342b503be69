import type { Command } from 'commander';
import { PROFILE_NAMES } from '../../lib/contract/anc.ts';
import { defined } from '../../lib/defined.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import {
  modeOption,
  type TargetOptions,
  withPoolOptions,
  withRiskOptions,
  withTargetOptions,
} from '../options/options.ts';
import { type PoolOptions, requiredPool } from '../options/pool.ts';
import { credentialsNeeded, targetConfig } from '../options/target.ts';
import { createOutput, type Output } from '../output/output.ts';
import { finish } from '../session/finish.ts';
import { type RunSession, startSession } from '../session/run-session.ts';
import { type RedactOptions, withRedactOption } from '../session/share.ts';
import { conformanceStage } from '../stages/conformance.ts';
import { type EmbeddedDeployment, embeddedTarget, startEmbedded } from '../stages/embedded.ts';
import { type LoadSelection, loadPlan, loadStage } from '../stages/load.ts';
import { type LoadShapeOptions, loadSelection, withLoadOptions } from './load.ts';

interface VerifyOptions extends TargetOptions, PoolOptions, LoadShapeOptions, RedactOptions {
  readonly mode?: Mode;
  readonly retry?: boolean;
}

const DEADLINE_SECONDS = 1800;

/** Conformance once, then the load of each profile, each profile on a deployment seeded with its own sessions. */
async function verifyEmbedded(
  session: RunSession,
  options: VerifyOptions,
  selection: LoadSelection,
  output: Output,
): Promise<void> {
  for (const [index, profile] of selection.profiles.entries()) {
    if (session.signals.abort.aborted) return;
    const deployment: EmbeddedDeployment = await startEmbedded(profile);
    try {
      const { username, password } = deployment;
      const target = targetConfig(deployment.baseUrl, embeddedTarget(options), { username, password });
      const pool = requiredPool({
        endpoints: deployment.endpoints,
        ...defined({ policy: deployment.policies[0] }),
      });
      if (index === 0) {
        output.say(
          `embedded deployment, profile ${profile}, ${deployment.sessions} sessions, ready at ${deployment.baseUrl}`,
        );
        await conformanceStage(
          session,
          {
            ...{ target, mode: 'full' as const, seed: options.seed ?? 1, pool },
            deadlineSeconds: DEADLINE_SECONDS,
            retry: options.retry,
          },
          output,
        );
      }
      if (session.signals.abort.aborted) return;
      await loadStage(
        session,
        { target, plan: loadPlan({ ...selection, profiles: [profile] }, pool).plan, pool },
        output,
      );
    } finally {
      await deployment.close();
    }
  }
}

/** What a run against somebody's deployment was given, resolved before anything is written or sent. */
function givenTarget(baseUrl: string, options: VerifyOptions, selection: LoadSelection) {
  const pool = requiredPool(options);
  const { plan } = loadPlan(selection, pool);
  return { pool, plan, target: targetConfig(baseUrl, options, credentialsNeeded()) };
}

async function verifyTarget(
  session: RunSession,
  options: VerifyOptions,
  given: ReturnType<typeof givenTarget>,
  mode: Mode,
  output: Output,
): Promise<void> {
  const { target, pool } = given;
  const { retry } = options;
  const stage = { target, mode, seed: options.seed ?? 1, pool, deadlineSeconds: DEADLINE_SECONDS, retry };
  const proceed = await conformanceStage(session, stage, output);
  if (proceed && !session.signals.abort.aborted) await loadStage(session, given, output);
}

async function verify(options: VerifyOptions): Promise<void> {
  const output = createOutput(options);
  const embedded = options.baseUrl === undefined;
  const mode = embedded ? 'full' : (options.mode ?? 'read-only');
  const selection = loadSelection(options, { profiles: embedded ? PROFILE_NAMES : ['60k'] });
  // Refused before a folder is made: with a target of somebody else, what ANC endpointCount is named outright.
  const given = options.baseUrl === undefined ? undefined : givenTarget(options.baseUrl, options, selection);
  const baseUrl = given?.target.baseUrl ?? 'embedded';
  const session = startSession(
    {
      command: 'verify',
      mode,
      seed: options.seed ?? 1,
      target: { baseUrl, embedded, insecure: options.insecure === true },
      options: { ...options },
      ...defined({ out: options.out }),
    },
    output,
  );
  try {
    if (given === undefined) await verifyEmbedded(session, options, selection, output);
    else await verifyTarget(session, options, given, mode, output);
  } catch (fault) {
    session.fault(fault);
  }
  finish(session, options, output);
}

/** `ers-harness verify`: conformance, then load, then one report. */
export function verifyCommand(program: Command): void {
  const command = program
    .command('verify')
    .description('conformance, then load, then one report; without --base-url against the embedded deployment')
    .addOption(modeOption().default(undefined, 'read-only; full against the embedded deployment'))
    .option('--no-retry', 'do not try failing checks again: then nothing tells which are flaky');
  withRedactOption(withRiskOptions(withPoolOptions(withLoadOptions(withTargetOptions(command)))))
    .addHelpText('after', '\nExamples:\n  ers-harness verify\n  ers-harness verify --profile 60k --duration 5s')
    .action(verify);
}
