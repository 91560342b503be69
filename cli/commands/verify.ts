import type { Command } from 'commander';
import type * as z from 'zod';
import { CHECK_IDS } from '../../conformance/catalog.ts';
import { PROFILE_NAMES } from '../../lib/contract/anc.ts';
import { checkFree } from '../../lib/records/folder/writer.ts';
import { counted } from '../../lib/text.ts';
import { findK6 } from '../../load/k6/binary/binary.ts';
import { loadPhases, phasesText, repeated, secondsOf } from '../../load/plan/phases.ts';
import { readBaseline } from '../options/baseline/read-baseline.ts';
import { bind } from '../options/bind.ts';
import { checkNeeds, POOL, requiredPool } from '../options/needs.ts';
import { VerifyCommandSpec } from '../options/specs.ts';
import { givenTarget } from '../options/target.ts';
import { createOutput, type Output } from '../output/output.ts';
import { finish } from '../session/finish.ts';
import { type RunSession, startSession } from '../session/run-session.ts';
import { conformancePlan, conformanceStage } from '../stages/conformance.ts';
import { dryRunEmbedded, OWN_LOAD_CONNECTIONS, withEmbedded } from '../stages/embedded.ts';
import { loadPlan, loadStage } from '../stages/load.ts';

type Options = z.output<typeof VerifyCommandSpec>;
type Mode = NonNullable<Options['mode']>;

/** Requests of the checks that the embedded deployment answers in a second, on a machine of two cores. */
const OWN_PER_SECOND = 950;

async function verifyEmbedded(session: RunSession, options: Options, output: Output): Promise<void> {
  const { seed, depth = 'normal', deadlineSeconds, retry, profiles = [], connections = OWN_LOAD_CONNECTIONS } = options;
  for (const [index, profile] of profiles.entries()) {
    if (session.signals.abort.aborted) return;
    await withEmbedded(profile, options, async ({ deployment, target, pool }) => {
      const { plan } = loadPlan({ ...options, connections, profiles: [profile] }, pool);
      if (index === 0) {
        output.say(`embedded deployment, seeded anew for each profile, at ${deployment.baseUrl}`);
        const checks = { target, mode: 'full', depth, seed, pool, deadlineSeconds, retry } as const;
        const { requests } = conformancePlan(checks).work;
        const own = { name: 'conformance', seconds: requests / OWN_PER_SECOND, requests };
        const loads = repeated(`load of ${profiles.join(', ')}`, loadPhases(plan), profiles.length);
        output.say(`plan: ${phasesText([own, loads])}`);
        await conformanceStage(session, checks, output);
      }
      if (session.signals.abort.aborted) return;
      const laterSeconds = secondsOf(plan.cells) * (profiles.length - 1 - index);
      await loadStage(session, { target, plan, pool, laterSeconds }, output);
    });
  }
}

/** What a run against somebody's deployment was given, resolved before anything is written or sent. */
function prepared(options: Options) {
  checkNeeds(options, [...POOL, 'credentials']);
  const pool = requiredPool(options);
  return { pool, plan: loadPlan(options, pool).plan, target: givenTarget(options) };
}

function describe(options: Options, mode: Mode, output: Output): void {
  const { json, baseUrl, seed, depth = 'normal' } = options;
  if (baseUrl === undefined) throw dryRunEmbedded();
  const load = loadPlan(options, requiredPool(options)).describe(json, baseUrl);
  const checks = conformancePlan({ mode, depth, seed }).describe(json);
  output.data(json ? `{"conformance":${checks},"load":${load}}` : `${checks}\n\n${load}`);
}

async function verifyTarget(
  session: RunSession,
  options: Options,
  given: ReturnType<typeof prepared>,
  mode: Mode,
  output: Output,
): Promise<void> {
  const { retry, seed, depth = 'normal', deadlineSeconds, takeOver } = options;
  const { target, pool, plan } = given;
  const checks = { target, mode, depth, seed, pool, takeOver, deadlineSeconds, retry };
  const results = counted(conformancePlan(checks).entries.length, 'result');
  output.say(`plan: conformance of ${results}, then ${phasesText(loadPhases(plan))}`);
  const proceed = await conformanceStage(session, checks, output);
  if (proceed && !session.signals.abort.aborted) await loadStage(session, given, output);
}

async function verify(asked: Options): Promise<void> {
  const output = createOutput(asked);
  if (asked.out !== undefined) checkFree(asked.out);
  const embedded = asked.baseUrl === undefined;
  const mode = embedded ? 'full' : (asked.mode ?? 'read-only');
  const options = { ...asked, profiles: asked.profiles ?? (embedded ? [...PROFILE_NAMES] : ['60k' as const]) };
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline);
  if (options.dryRun) return describe(options, mode, output);
  // Refused before a folder is made: with a target of somebody else, what ANC touches is named outright.
  const given = options.baseUrl === undefined ? undefined : prepared(options);
  // Conformance takes minutes: a generator that is missing is said before anything is sent.
  await findK6({ onProgress: output.say });
  const started = {
    command: 'verify',
    mode,
    spec: VerifyCommandSpec,
    options,
    target: given?.target,
    checks: CHECK_IDS,
  };
  const session = startSession(started, output);
  if (baseline !== undefined) session.writer.baseline(baseline);
  try {
    if (given === undefined) await verifyEmbedded(session, options, output);
    else await verifyTarget(session, options, given, mode, output);
  } catch (fault) {
    session.fault(fault);
  }
  finish(session, options, output);
}

export const verifyCommand = (program: Command): Command =>
  bind(program.command('verify'), VerifyCommandSpec, verify, {
    does: 'run conformance, then load, and write one report',
    examples: ['verify --profile 60k --duration 5s   # without --base-url, on the embedded deployment'],
  });
