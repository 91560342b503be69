import { defined } from '../../lib/defined.ts';
import { recordedOptions } from '../../lib/option.ts';
import type { RunWriter } from '../../lib/records/folder/writer.ts';
import type { CellFacts } from '../../lib/records/load/load.ts';
import { K6_STOPPED } from '../../lib/records/vocabulary.ts';
import type { LoadContext, Refusal } from '../endpoints/context.ts';
import { notLooked } from '../endpoints/read-back.ts';
import type { K6Binary } from '../k6/binary/binary.ts';
import { type CellRun, noRun } from '../k6/facts.ts';
import type { PlannedCell } from '../plan/plan.ts';
import { LoadSpec } from '../plan/spec.ts';

export function recordNotRun(
  context: LoadContext,
  cell: PlannedCell,
  { why: notRun, refusal }: Refusal,
  { k6, writer }: { readonly k6: K6Binary; readonly writer: Pick<RunWriter, 'cell'> },
): void {
  const run = noRun(k6, context.clock.now().toISOString());
  writer.cell({ ...factsOf(context, cell, 1, run, notLooked(notRun), undefined), notRun, refusal }, run.samples);
}

/** Everything that is recorded of one try of a cell. `fault` says why it could not be run. */
export function factsOf(
  context: LoadContext,
  cell: PlannedCell,
  attempt: 1 | 2,
  run: CellRun,
  back: CellFacts['readBack'],
  fault: string | undefined,
): CellFacts {
  const { spec } = context.plan;
  const { profile, operation, step, targetPerSecond, sessions, warmupSeconds } = cell;
  const { bucketSeconds, connections, reuseSeconds, stretches, pool } = cell;
  const { startedAt, counts, failures, generator, segments, stopped } = run;
  const { timeoutMs, lagLimitMs, slo, depth } = spec;
  const { succeeded = [], failed = 0, dropped = 0 } = run.ramp ?? {};
  const numbered = step === undefined ? '' : `step-${String(step.number).padStart(3, '0')}-`;
  return {
    ...{ id: `${numbered}${profile}-${operation}-${attempt}`, profile, operation, depth, attempt, startedAt },
    plan: {
      ...{ targetPerSecond, sessions, durationSeconds: warmupSeconds + cell.durationSeconds, warmupSeconds },
      ...{ bucketSeconds, connections, timeoutMs, poolSize: pool.size, reuseSeconds },
      ...defined({ stretches: stretches && [...stretches], lagLimitMs, slo }),
      options: recordedOptions(LoadSpec, spec),
    },
    ...{ counts, failures, generator, readBack: back },
    ...defined({
      ramp: cell.ramp && { ...cell.ramp, succeeded: succeeded.length, failed, dropped },
      segments,
      fault,
      stopped,
      doneDespite: context.anc?.doneDespite,
      step,
    }),
  };
}

/** Seconds of arrivals that k6 may have begun after the last row of its that was read, where it was stopped in order. */
const UNREAD_SECONDS = 5;

/** How many endpoints a cell has reached at most: all, unless a rule stopped it and k6 ended in order. */
export function begunIn({ targetPerSecond }: PlannedCell, { counts, stopped, generator, aborted }: CellRun): number {
  if (aborted || stopped === undefined || generator.exitCode !== K6_STOPPED) return Number.POSITIVE_INFINITY;
  return counts.started + UNREAD_SECONDS * targetPerSecond;
}
