import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import type * as z from 'zod';
import { CHECK_IDS } from '../../conformance/catalog.ts';
import { isSelected } from '../../conformance/engine/plan.ts';
import { readPool } from '../../lib/client/anc/pool.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { didYouMean } from '../../lib/did-you-mean.ts';
import { UsageError } from '../../lib/errors.ts';
import { entryName } from '../../lib/judge/conformance/baseline/known.ts';
import { checkFree } from '../../lib/records/folder/writer.ts';
import { some } from '../../lib/text.ts';
import { readBaseline } from '../options/baseline/read-baseline.ts';
import { updateBaseline, updateLines } from '../options/baseline/update-baseline.ts';
import { bind } from '../options/bind.ts';
import { lastFailed } from '../options/failed-checks.ts';
import { checkNeeds, poolIn, poolNeeds } from '../options/needs.ts';
import { ConformanceCommandSpec } from '../options/specs.ts';
import { readTemplates } from '../options/templates.ts';
import { createOutput, writing } from '../output/output.ts';
import { finish } from '../session/finish.ts';
import { startTargetSession } from '../session/target-session.ts';
import { conformancePlan, conformanceStage } from '../stages/conformance.ts';

type Options = z.output<typeof ConformanceCommandSpec>;

/** A name that nothing has, with the one that was probably meant, ends the command before anything is sent. */
function checkNames(
  what: string,
  names: readonly string[] | undefined,
  isKnown: (name: string) => boolean,
  all: readonly string[],
) {
  const unknown = names?.find((name) => !isKnown(name));
  if (unknown === undefined) return;
  throw new UsageError(`unknown-${what}`, `no ${what} ${unknown}${didYouMean(unknown, all)}`, {
    hint:
      what === 'family' ? `one of ${all.join(', ')}` : '`ers-harness conformance --dry-run --json` shows all of them',
  });
}

/** Everything that is asked, read before anything is sent: names, files and folders, also of a run that only shows its plan. */
function asked(options: Options) {
  const { mode = 'read-only', depth, seed, exclude, updateBaseline: update } = options;
  const isCheck = (name: string) => CHECK_IDS.some((id) => isSelected(id, [name]));
  checkNames('family', options.families, (name) => Object.hasOwn(FAMILIES, name), Object.keys(FAMILIES));
  checkNames('check', [...(options.checks ?? []), ...(exclude ?? [])], isCheck, CHECK_IDS);
  if (options.out !== undefined) checkFree(options.out);
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline);
  if (update !== undefined) {
    const isThere = existsSync(update);
    if (isThere) readBaseline(update);
    writing(update, '--update-baseline', () => accessSync(isThere ? update : dirname(update), constants.W_OK));
  }
  if (options.endpoints !== undefined) readPool(options.endpoints, { allowForeign: options.allowForeignEndpoints });
  const failed = options.lastFailed ? lastFailed() : undefined;
  const selection = {
    ...{ families: options.families ?? failed?.families, checks: options.checks ?? failed?.checks },
    ...{ exclude, mode, depth, seed },
  };
  return { selection, baseline, plan: conformancePlan(selection), templates: readTemplates(options.templates) };
}

async function conformance(options: Options): Promise<void> {
  const output = createOutput(options);
  const { selection, baseline, plan, templates } = asked(options);
  if (options.dryRun) {
    checkNeeds(options, poolNeeds(selection.mode, options));
    poolIn(selection.mode, options);
    const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
    const past = baseline?.entries.filter(({ expires }) => expires < today) ?? [];
    if (past.length > 0) output.warn(`past their date in the baseline: ${some(past.map(entryName))}`);
    return output.data(plan.describe(options.json));
  }
  const { mode, families, checks: ids } = selection;
  const recorded = defined({ families: families && [...families], checks: ids && [...ids] });
  const applied = { ...options, mode, ...recorded };
  const { session, target, pool } = startTargetSession('conformance', ConformanceCommandSpec, applied, output);
  const { deadlineSeconds, retry, takeOver } = options;
  await conformanceStage(session, { target, ...selection, pool, takeOver, templates, deadlineSeconds, retry }, output);
  const { updateBaseline: file } = options;
  if (file === undefined) return void finish(session, options, output);
  // What was accepted just now fails nothing: the run ends as the next night would.
  finish(session, options, output, (report) => {
    for (const line of updateLines(file, updateBaseline(file, report))) output.say(line);
    return readBaseline(file);
  });
}

export const conformanceCommand = (program: Command): Command =>
  bind(program.command('conformance'), ConformanceCommandSpec, conformance, {
    does: 'check every family against the specification',
    examples: [
      'conformance --base-url https://policy.example.com:9060',
      'conformance --base-url https://policy.example.com:9060 --mode own-data --check list/',
      'conformance --base-url https://policy.example.com:9060 --baseline expected.yaml',
    ],
  });
