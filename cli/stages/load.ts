import { CLEANUP_MS } from '../../lib/client/http/attempt.ts';
import { preflight } from '../../lib/client/http/preflight.ts';
import type { ErsClient, Recordable, TargetConfig } from '../../lib/client/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { defined } from '../../lib/defined.ts';
import { runCapacity } from '../../load/capacity/capacity.ts';
import { timeText } from '../../load/capacity/describe.ts';
import { type CapacityPlan, capacityPhases } from '../../load/capacity/plan-capacity.ts';
import { findK6, type K6Binary, measuresWrongly } from '../../load/k6/binary/binary.ts';
import { checkOutputs } from '../../load/k6/command.ts';
import type { NamedPolicyPool } from '../../load/plan/cell-spec.ts';
import { describePlan, planText } from '../../load/plan/describe.ts';
import { loadPhases, type Phase } from '../../load/plan/phases.ts';
import { type LoadPlan, planLoad } from '../../load/plan/plan.ts';
import type { LoadGiven } from '../../load/plan/spec.ts';
import { type LoadDeps, type LoadResult, runLoad } from '../../load/run/run.ts';
import { progressView } from '../output/load-progress.ts';
import type { Output } from '../output/output.ts';
import { withClient } from '../session/client.ts';
import type { RunSession } from '../session/run-session.ts';

/** The plan of a load, and its description for --dry-run. Throws `UsageError`. */
export function loadPlan(spec: LoadGiven, named: NamedPolicyPool) {
  const plan = planLoad(spec, named);
  checkOutputs(plan.spec.k6Outputs);
  return {
    plan,
    describe: (json: boolean, baseUrl: string) =>
      json ? JSON.stringify(describePlan(plan, baseUrl)) : planText(plan, baseUrl),
  };
}

/** Most time to clear the endpoints of an interrupted load: as long as the load took, and no longer than this. A second signal ends it. */
const LONGEST_CLEANUP_MS = 10 * 60_000;

/** Runs a load through a client of its own and records its outcome. A fault is recorded, not thrown. */
async function withLoadClient(
  session: RunSession,
  { target, pool, cluster, laterSeconds }: Omit<Stage<unknown>, 'plan'>,
  phases: readonly Phase[],
  output: Output,
  run: (deps: LoadDeps) => Promise<LoadResult>,
): Promise<void> {
  const begunMs = performance.now();
  const isCut = () => session.signals.abort.aborted;
  const view = progressView(output, phases, laterSeconds, isCut, session.live);
  const ours = {
    target,
    mode: 'full',
    pool,
    onExchange: ({ record }: Recordable) => session.writer.exchange(record()),
    cleanupMs: () => Math.min(LONGEST_CLEANUP_MS, Math.max(CLEANUP_MS, performance.now() - begunMs)),
  } as const;
  const work = async (client: ErsClient) => {
    const findings = { onProgress: output.say, onWarning: output.warn, signal: session.signals.abort };
    const k6 = cluster?.k6 ?? (await findK6(findings));
    const wrong = measuresWrongly(k6.version, target.proxy);
    if (wrong !== undefined) output.warn(`warning: ${wrong}`);
    await preflight(client);
    const result = await run({
      ...{ client, clock: systemClock, k6, writer: session.writer },
      ...defined({ runCell: cluster?.cells(session) }),
      ...{ env: process.env, signal: session.signals.abort, onProgress: view.show },
    });
    session.addCleanup(result.cleanup);
    if (result.fault !== undefined) session.fault(result.fault);
  };
  try {
    await withClient(session, ours, work);
  } catch (fault) {
    if (!isCut()) session.fault(fault);
  } finally {
    view.stop();
  }
}

/** Runners of a cluster, in place of the k6 of this machine. */
export interface Cluster {
  readonly k6: K6Binary;
  readonly cells: (session: RunSession) => NonNullable<LoadDeps['runCell']>;
}

interface Stage<Plan> {
  readonly target: TargetConfig;
  readonly plan: Plan;
  readonly pool: NamedPolicyPool;
  readonly cluster?: Cluster | undefined;
  /** Planned seconds of what comes after this load in the run. */
  readonly laterSeconds?: number;
}

/** Runs the cells of a plan and records them. A fault of the target or of the harness is recorded, not thrown. */
export function loadStage(session: RunSession, stage: Stage<LoadPlan>, output: Output): Promise<void> {
  return withLoadClient(session, stage, loadPhases(stage.plan), output, (deps) => runLoad(stage.plan, deps));
}

/** Runs a search for the capacity and records its steps, in the same way. */
export function capacityStage(session: RunSession, stage: Stage<CapacityPlan>, output: Output): Promise<void> {
  output.say(timeText(stage.plan));
  return withLoadClient(session, stage, capacityPhases(stage.plan), output, (deps) => runCapacity(stage.plan, deps));
}
