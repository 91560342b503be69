import { ancFamilyOf } from '../../lib/client/anc/lookup.ts';
import type { ConnectionTrial, ErsClient } from '../../lib/client/types.ts';
import { defined } from '../../lib/defined.ts';
import { HarnessError, messageOf } from '../../lib/errors.ts';
import { judgeCell } from '../../lib/judge/cell/judge-cell.ts';
import { mayBeOfPool } from '../../lib/judge/cell/rules/rule.ts';
import { packageVersion } from '../../lib/package-root.ts';
import type { RunWriter } from '../../lib/records/folder/writer.ts';
import { type CellFacts, OUTCOME, UNSERVED } from '../../lib/records/load/load.ts';
import type { Reconciliation, Sizing } from '../../lib/records/load/parts.ts';
import { isUndone } from '../../lib/wire/answer.ts';
import {
  applies,
  endpointOf,
  type LoadContext,
  notePhase,
  placeOf,
  rampEndpoints,
  reachableOf,
} from '../endpoints/context.ts';
import { watchPhase } from '../endpoints/in-flight-read-back.ts';
import { othersInPoolOf } from '../endpoints/others.ts';
import { prepareCell } from '../endpoints/prepare.ts';
import { lookBefore, notLooked, readBack } from '../endpoints/read-back.ts';
import { reconcile } from '../endpoints/reconcile.ts';
import type { K6Binary } from '../k6/binary/binary.ts';
import { scenarioBundle } from '../k6/command.ts';
import { type CellDeps, type CellRun, noRun, RUNNERS_LEFT, runCell, SAME_AGAIN } from '../k6/facts.ts';
import type { AbortLimits } from '../plan/abort-rules.ts';
import { type CellSpec, cellSpecOf } from '../plan/cell-spec.ts';
import { LOOKS, type PlannedCell } from '../plan/plan.ts';
import { begunIn, factsOf } from './cell-facts.ts';
import { type Sampling, seriesOfCell } from './metrics.ts';
import type { LoadProgress } from './prepared-pool.ts';

export interface TryDeps {
  readonly k6: K6Binary;
  readonly writer: Pick<RunWriter, 'cell'>;
  /** Environment that k6 takes its proxy settings from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onProgress: (progress: LoadProgress) => void;
  /** Runs a cell elsewhere than with the k6 of this machine. */
  readonly runCell?: (cell: PlannedCell, spec: CellSpec, signal: AbortSignal | undefined) => Promise<CellRun>;
  readonly sampling?: () => Sampling;
}

/** Until a target has noticed that the connections of k6 are closed. */
const CLOSED_MS = 1000;

const ENDING: readonly string[] = ['refused-login', RUNNERS_LEFT];

function cellSpec(context: LoadContext, cell: PlannedCell): CellSpec {
  const { target, runId } = context.client.options;
  return cellSpecOf(context.plan, cell, {
    ...{ baseUrl: target.baseUrl, credentials: target.credentials, caFile: target.caFile },
    ...{ insecure: target.insecure, clientCertificate: target.clientCertificate },
    csrf: context.client.needsCsrf(),
    userAgent: `ers-harness/${packageVersion()} (run ${runId})`,
  });
}

/** What a target may take to answer without a write being under way for long after k6 was ended. */
const SLOW_MS = 500;

/** True if a write may still take effect: nobody waits for its answer any more, or k6 was ended while the target was slow. */
function mayComeLate({ anc }: LoadContext, { aborted, failures, samples }: CellRun): boolean {
  const isGivenUp = failures.some((failure) => !isUndone(failure));
  if (isGivenUp || !aborted) return isGivenUp;
  const slowestMs = samples.serviceUs.reduce((most, us) => (us === UNSERVED ? most : Math.max(most, us / 1000)), 0);
  return Math.max(slowestMs, ...(anc?.latenciesMs ?? [])) > SLOW_MS;
}

/** Takes over what the load did to its endpoints. Where the record has gaps, it may have done anything to any of them. */
function learn(context: LoadContext, cell: PlannedCell, run: CellRun): void {
  const { samples, generator, aborted } = run;
  if (aborted || !generator.streamComplete) doubt(context, cell, begunIn(cell, run));
  if (mayComeLate(context, run)) context.client.givesUp(ancFamilyOf(context.client));
  const done = applies(cell) ? 'policy' : 'nothing';
  for (const index of rampEndpoints(cell)) context.state.set(index, 'unknown');
  const indexAt = placeOf(cell);
  for (const place of run.ramp?.succeeded ?? []) context.state.set(indexAt(place), done);
  const indexOf = endpointOf(cell);
  for (let row = 0; row < samples.seq.length; row += 1) {
    const outcome = samples.outcome[row];
    if (outcome === OUTCOME.dropped) continue;
    context.state.set(indexOf(samples.seq[row] ?? 0), outcome === OUTCOME.success ? done : 'unknown');
  }
}

function doubt(context: LoadContext, cell: PlannedCell, begun = Number.POSITIVE_INFINITY): void {
  for (const index of reachableOf(cell).slice(0, begun)) context.state.set(index, 'unknown');
}

/** When to stop a cell. An error that stands for a success spares the target nothing. */
function abortOf(context: LoadContext, cell: PlannedCell): AbortLimits {
  const { abort } = context.plan;
  const { warmupSeconds, stopAfterSeconds } = cell;
  const isUsual = (context.anc?.doneDespite?.status ?? 0) >= 500;
  return {
    ...abort,
    // With tokens, each connection may have one refused when they run out together.
    forbidden: abort.forbidden + (context.client.needsCsrf() ? cell.connections : 0),
    serverErrorShare: isUsual ? 1 : abort.serverErrorShare,
    // An error that stands for a success is no refusal.
    alike: context.anc?.doneDespite === undefined ? abort.alike : Number.POSITIVE_INFINITY,
    ...(stopAfterSeconds === undefined
      ? {}
      : { short: { fromMs: (warmupSeconds + 1) * 1000, lastsMs: stopAfterSeconds * 1000 } }),
  };
}

async function runPhase(
  context: LoadContext,
  cell: PlannedCell,
  deps: TryDeps,
  onStream: CellDeps['onStream'] & {},
): Promise<CellRun> {
  notePhase(context, cell, 'intent', applies(cell) ? 'apply' : 'clear');
  await context.client.journalSynced();
  context.state.isCompared = false;
  // Connections of the preparation that stay open would count against a cap of the target.
  await context.client.useConnections(LOOKS);
  try {
    const spec = cellSpec(context, cell);
    const k6Tags = { profile: cell.profile, operation: cell.operation, run_id: context.client.options.runId };
    const run = await (deps.runCell?.(cell, spec, context.signal) ??
      runCell(
        { ...spec, k6Tags, ...defined({ address: context.client.options.target.only?.address() }) },
        {
          ...{ k6: deps.k6, env: deps.env, abort: abortOf(context, cell), onStream },
          bundle: scenarioBundle(cell.operation),
          ...defined({ signal: context.signal }),
          onSecond: (progress) => deps.onProgress({ kind: 'second', cell, progress }),
        },
      ));
    learn(context, cell, run);
    return run;
  } catch (fault) {
    doubt(context, cell);
    throw fault;
  }
}

/** A trial of the connections that cells want, of which the target refuses some; undefined if it takes all, or a proxy stands between. */
export async function capOn(client: ErsClient, wanted: number): Promise<ConnectionTrial | undefined> {
  if (client.options.target.proxy !== undefined) return undefined;
  const trial = await client.tryConnections(ancFamilyOf(client), LOOKS + wanted);
  return trial.served < trial.asked ? trial : undefined;
}

/** Where transactions got no answer: whether the target takes as many connections as the cell had; undefined if it does. */
async function refusalOf(context: LoadContext, cell: PlannedCell, run: CellRun): Promise<Sizing['refused']> {
  const isLost = run.failures.some(({ kind }) => kind === 'transport');
  if (!isLost || run.aborted) return undefined;
  await context.clock.sleep(CLOSED_MS, context.signal);
  return capOn(context.client, cell.connections);
}

/** The whole list compared with the successes; undefined for the steps of a search, except the confirmation. */
async function reconciliationOf(context: LoadContext, { step }: PlannedCell): Promise<Reconciliation | undefined> {
  const { reconcileLimit, readBackGraceMs } = context.plan.spec;
  const short = step !== undefined && step.purpose !== 'confirm';
  return reconcileLimit === 0 || short ? undefined : await reconcile(context, reconcileLimit, readBackGraceMs);
}

/** One try of a cell: prepare, look, run k6, look, record, judge. A fault of the generator is recorded. `isLast`: no further try helps. */
export async function runTry(context: LoadContext, cell: PlannedCell, attempt: 1 | 2, deps: TryDeps) {
  let run = noRun(deps.k6, context.clock.now().toISOString());
  let back = notLooked('k6 did not run');
  let series: CellFacts['series'];
  let sizing = cell.sizing;
  let isLast = false;
  let fault = await prepareCell(context, cell, (endpoints) => deps.onProgress({ kind: 'preparing', cell, endpoints }));
  if (fault === undefined) {
    const before = await lookBefore(context, cell);
    context.signal?.throwIfAborted();
    try {
      const sampling = deps.sampling?.();
      const watch = watchPhase(context, cell);
      let inFlight: CellFacts['readBack']['inFlight'];
      run = await runPhase(context, cell, deps, watch.follow).finally(async () => {
        [inFlight, series] = await Promise.all([watch.stop(), sampling?.stop()]);
        await context.client.useConnections(sizing?.refused?.served ?? context.client.options.target.connections);
      });
      const refused = deps.runCell === undefined ? await refusalOf(context, cell, run) : undefined;
      if (refused !== undefined) {
        sizing = { beside: LOOKS, ...sizing, refused };
        await context.client.useConnections(refused.served);
      }
      // Each further request would be one more refused login.
      const isRefused = run.failures.some(({ status }) => status === 401);
      back =
        run.aborted || isRefused
          ? notLooked(run.aborted ? 'the run was aborted' : 'the target refused the login')
          : {
              ...(await readBack(context, cell, before, run)),
              ...defined({ inFlight, reconciliation: await reconciliationOf(context, cell) }),
            };
    } catch (cause) {
      if (!(cause instanceof HarnessError) || ENDING.includes(cause.code)) throw cause;
      fault = messageOf(cause);
      isLast = cause.code === SAME_AGAIN;
    }
  }
  const facts = { ...factsOf(context, cell, attempt, run, back, fault), ...defined({ sizing }) };
  if (series !== undefined) facts.series = seriesOfCell(series, facts.startedAt, facts.plan.durationSeconds);
  let report = judgeCell(facts, run.samples);
  if (report.verdict === 'violated' && !run.aborted && mayBeOfPool(report)) {
    const sharedPool = await othersInPoolOf(context);
    if (sharedPool !== undefined) report = judgeCell(Object.assign(facts, { sharedPool }), run.samples);
  }
  deps.writer.cell(facts, run.samples);
  return { report, isLast: isLast || run.aborted || facts.sharedPool !== undefined };
}
