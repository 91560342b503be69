import { checks as catalog } from '../../conformance/catalog.ts';
import { openEvidence } from '../../conformance/engine/evidence/evidence.ts';
import { type PlanEntry, planConformance, type Selection } from '../../conformance/engine/plan.ts';
import { type ConformanceOptions, runConformance } from '../../conformance/engine/run.ts';
import { freePool } from '../../lib/client/anc/free-pool.ts';
import { preflight } from '../../lib/client/http/preflight.ts';
import type { ErsClient, TargetConfig } from '../../lib/client/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { UsageError } from '../../lib/errors.ts';
import { groupBy } from '../../lib/group-by.ts';
import { count, counted, roughly, tableLines } from '../../lib/text.ts';
import type { NamedPolicyPool } from '../../load/plan/cell-spec.ts';
import { checksView } from '../output/conformance-progress.ts';
import type { Output } from '../output/output.ts';
import { endOf, tooSlow, withClient } from '../session/client.ts';
import { areaOf, conformanceWork } from '../session/conformance-work.ts';
import type { RunSession } from '../session/run-session.ts';

const FAMILY_TABLE: FamilyTable = FAMILIES;

interface StageOptions extends ConformanceOptions {
  readonly target: TargetConfig;
  readonly pool?: NamedPolicyPool | undefined;
  /** Endpoints that hold a policy are cleared and used; otherwise they are left out. */
  readonly takeOver?: boolean;
  readonly deadlineSeconds: number;
}

const rowOf = ({ key, family, requirement, level, skipReason, check }: PlanEntry) => ({
  ...{ key, requirement, level },
  ...(FAMILY_TABLE[family]?.imported === undefined ? {} : { imported: true }),
  ...(skipReason === undefined ? {} : { skipReason, needs: `--mode ${check.needs}` }),
});

/** How fast a plan takes its requests, if nothing limits them. */
const PER_SECOND = 100;

function screenOf(entries: readonly PlanEntry[], run: readonly PlanEntry[], requests: number): string {
  const families = [...groupBy(entries, ({ family }) => family)].map(([name, own]) => {
    const skipped = own.filter(({ skipReason }) => skipReason !== undefined).length;
    return [`${name}${FAMILY_TABLE[name]?.imported ? ' (imported)' : ''}`, count(own.length - skipped), count(skipped)];
  });
  const areas = [...groupBy(entries, areaOf)].map(([name, own]) => `${name}/ ${own.length}`);
  const hidden = entries.filter(({ skipReason }) => skipReason !== undefined);
  const needs = groupBy(hidden, ({ check }) => `--mode ${check.needs}`);
  return [
    ...tableLines(['family', 'results', 'not run'], families, [1, 2]),
    `checks by area, with their results: ${areas.join(', ')}`,
    ...[...needs].map(([need, own]) => `${counted(own.length, 'result')} not run: ${need} asks for them`),
    `${counted(run.length, 'result')}, about ${count(requests)} requests: ${roughly(requests / PER_SECOND)} at ${PER_SECOND} a second; --json lists each result`,
  ].join('\n');
}

/** What a selection would check. Throws `UsageError` if it names nothing, or nothing that its mode can show. */
export function conformancePlan(selection: Selection) {
  const { hash, entries } = planConformance(catalog, selection);
  if (entries.length === 0)
    throw new UsageError('nothing-to-check', 'no check is selected', {
      hint: '`ers-harness conformance --dry-run --json` shows all of them',
    });
  const { mode } = selection;
  const wanted = (['own-data', 'full'] as const).find((more) => entries.some(({ check }) => check.needs === more));
  const run = entries.filter(({ skipReason }) => skipReason === undefined);
  if (wanted !== undefined && run.length === 0)
    throw new UsageError('nothing-to-check', `nothing of what is selected can be shown in mode ${mode}`, {
      hint: `add --mode ${wanted}, or select other checks`,
    });
  const work = conformanceWork(run, selection);
  const describe = (json: boolean): string =>
    json ? JSON.stringify({ hash, entries: entries.map(rowOf) }) : screenOf(entries, run, work.requests);
  return { entries, work, describe };
}

/** Runs the checks and records them, and their faults. True if they ran to the end, so that a load may follow. */
export async function conformanceStage(session: RunSession, options: StageOptions, output: Output): Promise<boolean> {
  const { target, pool, takeOver, deadlineSeconds, ...asked } = options;
  const { mode } = asked;
  const evidence = openEvidence(session.writer.exchange);
  const free = pool === undefined ? undefined : freePool(pool.pool);
  const ownPool = pool === undefined || free === undefined ? undefined : { pool: free, policies: pool.policies };
  const signal = endOf(session, deadlineSeconds);
  const { entries, work } = conformancePlan(asked);
  const view = checksView(output, entries.length, work, session.live);
  const check = async (client: ErsClient) => {
    await preflight(client);
    const takenOver = mode === 'full' ? await free?.settle(client, takeOver === true) : 0;
    if (takenOver) session.addCleanup({ created: 0, removed: 0, residue: [], takenOver });
    const run = await runConformance(asked, {
      ...{ client, writer: session.writer, clock: systemClock, signal, evidence },
      ...{ onCheck: view.check, onResult: view.result, onSequences: view.sequences, onPhase: view.phase },
    });
    session.addCleanup(run.cleanup);
    for (const fault of run.faults) session.fault(fault);
    return run.faults.length === 0;
  };
  try {
    return await withClient(session, { target, mode, pool: ownPool, onExchange: evidence.capture, signal }, check);
  } catch (fault) {
    if (!session.signals.abort.aborted) session.fault(signal.aborted ? tooSlow(deadlineSeconds, '--deadline') : fault);
    return false;
  } finally {
    view.stop();
  }
}
