import { preflight } from '../lib/client/preflight.ts';
import type { TargetConfig } from '../lib/client/types.ts';
import { systemClock } from '../lib/clock.ts';
import type { AncOperationName, ProfileName } from '../lib/contract/anc.ts';
import type { Tier } from '../lib/records/vocabulary.ts';
import { describePlan, planText } from '../load/describe-plan.ts';
import { findK6 } from '../load/k6-binary.ts';
import { type LoadPlan, planLoad } from '../load/plan.ts';
import type { LoadProgress } from '../load/progress.ts';
import { runLoad } from '../load/run.ts';
import type { Output } from './output.ts';
import type { NamedPolicyPool } from './pool-options.ts';
import { startProgress } from './progress.ts';
import { openClient, type RunSession } from './run-session.ts';

/** Which cells, and how they run; what is absent is the tier's or the specification's. */
export interface LoadSelection {
  readonly profiles: readonly ProfileName[];
  readonly operations: readonly AncOperationName[];
  readonly tier: Tier;
  readonly timeoutSeconds: number;
  readonly rate?: number;
  readonly durationSeconds?: number;
  readonly connections?: number;
}

/** The plan of a selection, and its description for --dry-run. Throws `UsageError`. */
export function loadPlan(selection: LoadSelection, { pool, policy }: NamedPolicyPool) {
  const plan = planLoad({
    profiles: selection.profiles,
    operations: selection.operations,
    tier: selection.tier,
    pool,
    policy,
    timeoutMs: Math.round(selection.timeoutSeconds * 1000),
    ...(selection.rate === undefined ? {} : { ratePerSecond: selection.rate }),
    ...(selection.durationSeconds === undefined ? {} : { durationSeconds: selection.durationSeconds }),
    ...(selection.connections === undefined ? {} : { connections: selection.connections }),
  });
  return { plan, describe: (json: boolean) => (json ? JSON.stringify(describePlan(plan)) : planText(plan)) };
}

/** Shows a load as it goes: a bar of seconds for each cell, and its verdict. */
function progressView(output: Output) {
  let bar: ReturnType<typeof startProgress> | undefined;
  return (event: LoadProgress): void => {
    if (event.kind === 'cell-start') {
      const { profile, operation, warmupSeconds, durationSeconds } = event.cell;
      const again = event.attempt === 2 ? ', once more' : '';
      bar = startProgress(
        `load ${event.index + 1}/${event.of} ${profile} ${operation}${again}`,
        warmupSeconds + durationSeconds,
        output,
      );
    } else if (event.kind === 'second') {
      const { second, startedPerSecond, dropped, p99Ms } = event.progress;
      bar?.update(
        second,
        `${startedPerSecond}/s, ${dropped} dropped, p99 ${p99Ms === null ? '-' : p99Ms.toFixed(1)} ms`,
      );
    } else if (event.kind === 'cell-end') {
      const { profile, operation, verdict, achievedPerSecond, dropped, failed, serviceTime } = event.report;
      const figures = `${achievedPerSecond.toFixed(1)}/s, ${dropped} dropped, ${failed} failed, service p99 ${serviceTime.p99Ms?.toFixed(1) ?? '-'} ms`;
      bar?.stop(`load ${event.index + 1}/${event.of} ${profile} ${operation}: ${verdict}, ${figures}`);
    } else if (event.kind === 'cleaning') {
      output.say(`clearing ${event.endpoints} endpoints`);
    }
  };
}

interface StageOptions {
  readonly target: TargetConfig;
  readonly plan: LoadPlan;
  readonly pool: NamedPolicyPool;
}

/** Runs the cells of a plan and records them. A fault of the target or of the harness is recorded, not thrown. */
export async function loadStage(
  session: RunSession,
  { target, plan, pool }: StageOptions,
  output: Output,
): Promise<void> {
  const client = openClient(session, { target, mode: 'full', pool, onExchange: session.writer.exchange });
  try {
    const k6 = await findK6({ onProgress: output.say, signal: session.signals.abort });
    await preflight(client);
    const result = await runLoad(plan, {
      client,
      clock: systemClock,
      k6,
      writer: session.writer,
      env: process.env,
      signal: session.signals.abort,
      onProgress: progressView(output),
    });
    session.addCleanup(result.cleanup);
    if (result.fault !== undefined) session.fault(result.fault);
  } catch (fault) {
    if (!session.signals.abort.aborted) session.fault(fault);
  } finally {
    session.addRequests(client.requests());
    await client.close();
  }
}
