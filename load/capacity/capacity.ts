import { PROFILES } from '../../lib/contract/anc.ts';
import { RefusedError } from '../../lib/errors.ts';
import { capacityAnswer } from '../../lib/judge/capacity/capacity-answer.ts';
import { trialOf } from '../../lib/judge/capacity/trial.ts';
import { refusedWords } from '../../lib/judge/cell/sizing.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { SAME_REFUSAL } from '../../lib/records/vocabulary.ts';
import { counted } from '../../lib/text.ts';
import { applies, type LoadContext } from '../endpoints/context.ts';
import { settingSeconds } from '../plan/phases.ts';
import { LOOKS, type LoadPlan, reachingPlan } from '../plan/plan.ts';
import { startSampling } from '../run/metrics.ts';
import { type PoolResult, withPreparedPool } from '../run/prepared-pool.ts';
import { type LoadDeps, stopOnRefusedLogin } from '../run/run.ts';
import { capOn, runTry } from '../run/try-cell.ts';
import { findCapacity } from './find-capacity.ts';
import { type CapacityPlan, mostTime } from './plan-capacity.ts';
import { mostSeconds, OVERHEAD_SECONDS, recoveryCell, type StepRequest, stepCell } from './step-cell.ts';

/** Wait before a step that proved nothing is repeated: what kept the generator from its work is often over by then. */
const PAUSE_MS = 3000;

/** The plan that preparation and clean-up work on: one cell that reaches every endpoint of the pool. */
const wholePool = (plan: CapacityPlan): LoadPlan =>
  // Options of a load that a search has not are those of a load by default.
  reachingPlan({ ...plan.spec, profiles: [plan.profile], operations: [plan.spec.operation] }, plan, plan.pool.size);

interface Searching {
  readonly context: LoadContext;
  readonly options: CapacityPlan;
  readonly deps: LoadDeps;
  readonly steps: CellReport[];
  /** Seconds until the end of the run, less those of clearing what holds a policy now. */
  readonly secondsLeft: () => number;
}

const fits = ({ secondsLeft }: Searching, seconds: number) => seconds + OVERHEAD_SECONDS <= secondsLeft();

function stopOnRefusal(report: CellReport): void {
  const { operation, stopped } = report.facts;
  if (stopped?.rule === SAME_REFUSAL) {
    throw new RefusedError('operation-refused', `${operation} was refused: ${stopped.text}`, {
      hint: 'this is no question of speed: make the target take it once, then search again',
    });
  }
  stopOnRefusedLogin(report);
}

async function runStep(searching: Searching, { purpose, ...asked }: StepRequest): Promise<CellReport> {
  const { context, options, deps, steps } = searching;
  const { profile, spec, search } = options;
  const number = 1 + Math.max(0, ...steps.map(({ facts }) => facts.step?.number ?? 0));
  const isPoolBound = search.highest < spec.maxRatePerSecond;
  const step = { number, purpose, ...(isPoolBound ? { poolAllowsPerSecond: search.highest } : {}) };
  const shape = { profile, ...asked, step, operation: spec.operation, connections: spec.connections };
  const want = applies(spec) ? 'nothing' : 'policy';
  for (const attempt of [1, 2] as const) {
    if (attempt === 2) await deps.clock.sleep(PAUSE_MS, context.signal);
    context.signal?.throwIfAborted();
    const cell = stepCell(context, shape, want, number);
    deps.onProgress({ kind: 'cell-start', cell, index: number - 1, of: number, attempt });
    const { report, isLast } = await runTry(context, cell, attempt, deps);
    steps.push(report);
    deps.onProgress({ kind: 'cell-end', cell, index: number - 1, of: number, report });
    stopOnRefusal(report);
    const isDone = isLast || report.verdict !== 'invalid' || attempt === 2;
    if (isDone || !fits(searching, cell.warmupSeconds + cell.durationSeconds)) return report;
  }
  throw new Error('unreachable');
}

async function withinCap(options: CapacityPlan, { client }: LoadContext, tell: (text: string) => void) {
  const trial = await capOn(client, options.spec.connections);
  if (trial === undefined) return options;
  const room = Math.max(1, trial.served - LOOKS);
  tell(`${refusedWords(trial)}: the search uses ${counted(room, 'connection')}`);
  return { ...options, spec: { ...options.spec, connections: room } };
}

function checkRunnable({ anc }: LoadContext, { spec }: CapacityPlan): void {
  const lack = anc?.refused?.[spec.operation];
  if (lack === undefined) return;
  throw new RefusedError('no-session', lack.why, {
    hint: 'search with another operation, such as --operation apply-by-mac',
  });
}

async function findAndRecover(searching: Searching): Promise<void> {
  const { options, steps } = searching;
  const { search, spec, pool } = options;
  const targetPerSecond = PROFILES[options.profile].ancPerSecond;
  // What the recovery would take goes to a claim, where the first confirmation made none.
  const isTried = () => steps.some(({ facts, verdict }) => facts.step?.purpose === 'confirm' && verdict !== 'met');
  const reserved = () => (isTried() ? 0 : mostTime(options).recovery);
  await findCapacity(
    {
      ...{ search, confirmSeconds: spec.confirmSeconds, targetPerSecond },
      mostSeconds: (rate) => mostSeconds(pool.size, spec.connections, rate),
      secondsLeft: () => searching.secondsLeft() - reserved(),
    },
    async (request) => trialOf(await runStep(searching, request)),
  );
  const sustained = steps.length === 0 ? null : capacityAnswer(steps, targetPerSecond).heldPerSecond;
  const cell = sustained === null ? null : recoveryCell(sustained, options);
  if (cell !== null && fits(searching, cell.seconds)) await runStep(searching, cell);
}

/** Looks for the highest rate that holds, then measures the recovery from an overload of it. Always clears the pool at the end. */
export function runCapacity(options: CapacityPlan, given: LoadDeps): Promise<PoolResult> {
  const { metrics } = options;
  const deps = metrics === undefined ? given : { ...given, sampling: () => startSampling(metrics) };
  const steps: CellReport[] = [];
  const endMs = performance.now() + 1000 * mostTime(options).run;
  return withPreparedPool(wholePool(options), deps, async (context) => {
    checkRunnable(context, options);
    const tell = (text: string) => deps.onProgress({ kind: 'told', text });
    const done = () => Math.max(options.search.lowest, ...steps.map(({ achievedPerSecond }) => achievedPerSecond));
    const clearing = () => settingSeconds(context.state.toClear().length, steps.length === 0 ? undefined : done());
    const secondsLeft = () => (endMs - performance.now()) / 1000 - clearing();
    await findAndRecover({ context, options: await withinCap(options, context, tell), deps, steps, secondsLeft });
  });
}
