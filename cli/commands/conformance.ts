import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type * as z from 'zod';
import { FAMILIES } from '../../lib/contract/families.ts';
import { UsageError } from '../../lib/errors.ts';
import { readBaseline } from '../options/baseline/read-baseline.ts';
import { updateBaseline, updateLines } from '../options/baseline/update-baseline.ts';
import { bind } from '../options/bind.ts';
import { ConformanceCommandSpec } from '../options/specs.ts';
import { readTemplates } from '../options/templates.ts';
import { createOutput } from '../output/output.ts';
import { finish } from '../session/finish.ts';
import { startTargetSession } from '../session/target-session.ts';
import { conformancePlan, conformanceStage } from '../stages/conformance.ts';

type Options = z.output<typeof ConformanceCommandSpec>;

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

async function conformance(options: Options): Promise<void> {
  const output = createOutput(options);
  const { mode = 'read-only', depth, seed } = options;
  const selection = { families: checkedFamilies(options.families), checks: options.checks, mode, depth, seed };
  const plan = conformancePlan(selection);
  if (options.list || options.dryRun) return output.data(plan.describe(options.json));
  if (options.updateBaseline !== undefined && existsSync(options.updateBaseline)) readBaseline(options.updateBaseline);
  const templates = readTemplates(options.templates);
  const started = { command: 'conformance', spec: ConformanceCommandSpec, options: { ...options, mode } };
  const { session, target, pool } = startTargetSession(started, output);
  const { deadlineSeconds, retry, takeOver } = options;
  await conformanceStage(session, { target, ...selection, pool, takeOver, templates, deadlineSeconds, retry }, output);
  const report = finish(session, options, output);
  const { updateBaseline: file } = options;
  if (file !== undefined) for (const line of updateLines(file, updateBaseline(file, report))) output.say(line);
}

/** `ers-harness conformance`: does the deployment do what the specification says? */
export function conformanceCommand(program: Command): void {
  const command = program
    .command('conformance')
    .description('check every family against the specification')
    .addHelpText(
      'after',
      '\nExamples:\n  ers-harness conformance --base-url https://policy.example.com:9060\n' +
        '  ers-harness conformance --base-url https://policy.example.com:9060 --mode own-data --check list/\n' +
        '  ers-harness conformance --base-url https://policy.example.com:9060 --baseline expected.yaml',
    );
  bind(command, ConformanceCommandSpec, conformance);
}
