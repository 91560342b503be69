import type { Command } from 'commander';
import type * as z from 'zod';
import { ANC_OPERATIONS, PROFILE_NAMES } from '../../lib/contract/anc.ts';
import { checkFree } from '../../lib/records/folder/writer.ts';
import { EMBEDDED_RATE } from '../../lib/records/load/capacity.ts';
import { count } from '../../lib/text.ts';
import { capacityText, describeCapacity, planCapacity } from '../../load/capacity/plan-capacity.ts';
import { wholeSpec } from '../../load/capacity/spec.ts';
import { checkPopulations } from '../../load/plan/plan.ts';
import { bind } from '../options/bind.ts';
import { checkNeeds, loadPool, POOL } from '../options/needs.ts';
import { CapacityCommandSpec } from '../options/specs.ts';
import { givenTarget } from '../options/target.ts';
import { createOutput, type Output } from '../output/output.ts';
import { finish } from '../session/finish.ts';
import { type RunSession, startSession } from '../session/run-session.ts';
import { dryRunEmbedded, type OwnTarget, withEmbedded } from '../stages/embedded.ts';
import { capacityStage } from '../stages/load.ts';

type Options = z.output<typeof CapacityCommandSpec>;

async function searchEmbedded(session: RunSession, options: Options, output: Output): Promise<void> {
  // The connections are those of the search; ours are more than a guest would take.
  const ours = { ...options, connections: undefined };
  // The searched operation alone: at a limit for both, taking policies off again took as long as the search.
  const faults = [`rate=${EMBEDDED_RATE}/s:${ANC_OPERATIONS[options.operation].op}`];
  for (const profile of options.profiles ?? []) {
    if (session.signals.abort.aborted) return;
    const search = async ({ deployment, target, pool }: OwnTarget) => {
      output.say(
        `embedded deployment, profile ${profile}, ${count(deployment.sessions)} sessions, slowed down to ${EMBEDDED_RATE}/s`,
      );
      const plan = planCapacity(wholeSpec(options, true), profile, pool);
      await capacityStage(session, { target, pool, plan }, output);
    };
    await withEmbedded(profile, ours, search, faults);
  }
}

/** The searches on a target; what cannot be searched is refused before a folder is made and before anything is sent. */
function searchesOf(options: Options) {
  checkNeeds(options, ['--profile', ...POOL, ...(options.dryRun ? [] : (['credentials'] as const))]);
  const { profiles = [] } = options;
  const pool = loadPool(options);
  checkPopulations(profiles);
  return { pool, plans: profiles.map((profile) => planCapacity(wholeSpec(options), profile, pool)) };
}

async function capacity(asked: Options): Promise<void> {
  const embedded = asked.baseUrl === undefined;
  // Of our own deployment one search is made: it does the same at any size.
  const options = { ...asked, profiles: asked.profiles ?? (embedded ? PROFILE_NAMES.slice(0, 1) : undefined) };
  const output = createOutput(options);
  if (options.out !== undefined) checkFree(options.out);
  const given = embedded ? undefined : searchesOf(options);
  if (options.dryRun) {
    if (given === undefined) throw dryRunEmbedded();
    const text = [`target ${options.baseUrl}`, ...given.plans.map(capacityText)].join('\n\n');
    return output.data(options.json ? JSON.stringify(given.plans.map(describeCapacity)) : text);
  }
  const target = given && givenTarget({ ...options, connections: undefined });
  const started = { command: 'capacity', mode: 'full', spec: CapacityCommandSpec, options, target } as const;
  const session = startSession(started, output);
  try {
    if (given === undefined || target === undefined) await searchEmbedded(session, options, output);
    else {
      for (const plan of given.plans) {
        if (!session.signals.abort.aborted) await capacityStage(session, { target, pool: given.pool, plan }, output);
      }
    }
  } catch (fault) {
    session.fault(fault);
  }
  finish(session, options, output);
}

export const capacityCommand = (program: Command): Command =>
  bind(program.command('capacity'), CapacityCommandSpec, capacity, {
    does: 'find the highest ANC rate that holds, and its headroom',
    notes: [
      'Each step doubles the rate until one fails. Then the search halves the gap down to 5 %, and confirms what held.',
      'Without --base-url, on the embedded deployment.',
    ],
    examples: [
      'capacity --profile 60k',
      'capacity --base-url https://policy.example.com:9060 --profile 60k --max-rate 1000 \\',
      '  --endpoints 02:00:00:00:00:00+60000@10.0.0.0 --policy Load-Test',
    ],
  });
