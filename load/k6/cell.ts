import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GeneratorError } from '../../lib/errors.ts';
import { placeShare, type Share, scheduleStartUs, WHOLE } from '../../lib/records/merge/segments.ts';
import type { CellSpec } from '../plan/cell-spec.ts';
import { type Collected, toSamples } from '../stream/samples.ts';
import type { StreamTable } from '../stream/table.ts';
import { type CellDeps, type CellRun, generatorFacts } from './facts.ts';
import { runStream, type Stream } from './stream.ts';

const NS_PER_US = 1000;

function digestOf(bundle: string): string {
  try {
    return createHash('sha256').update(readFileSync(bundle)).digest('hex');
  } catch (cause) {
    throw new GeneratorError('no-bundle', `the scenario ${bundle} is missing`, { cause, hint: 'run: npm run build' });
  }
}

export function rampOf(tables: readonly StreamTable[]): NonNullable<CellRun['ramp']> {
  const sum = (key: 'failed' | 'dropped') => tables.reduce((total, { ramp }) => total + ramp[key], 0);
  return { succeeded: tables.flatMap(({ ramp }) => ramp.succeeded), failed: sum('failed'), dropped: sum('dropped') };
}

/** What the rows of one process hold of its share, on the schedule of the whole. `thrown`: exceptions that it said on the side. */
export function sharePart(table: StreamTable, collected: Collected, share: Share, periodUs: number, thrown = 0) {
  const { samples, failures } = collected;
  const { withoutTransaction, ...counts } = collected.counts;
  return {
    ...{ index: share.index, of: share.of, failures },
    samples: placeShare(samples, share, periodUs),
    // An exception ends an iteration; one that came before the request leaves an iteration without a transaction.
    counts: { ...counts, exceptions: Math.max(thrown, withoutTransaction, 0) },
    // A process that never began is as far from a common start as can be.
    startUs: Number.isNaN(table.originUs) ? 0 : scheduleStartUs(share, table.originUs, periodUs),
  };
}

/** Stopped by a rule, or by the caller; a rule is no abort of the run. */
function endOf({ stopped, ending }: Stream, { signal }: CellDeps): Pick<CellRun, 'aborted' | 'stopped'> {
  if (stopped !== undefined) return { aborted: false, stopped };
  return { aborted: signal?.aborted === true && ending.aborted };
}

/** Runs a cell on one k6 process. Returns what was recorded even if k6 failed or was stopped: the judge decides. */
export async function runCell(spec: CellSpec, deps: CellDeps): Promise<CellRun> {
  const bundleSha256 = digestOf(deps.bundle);
  const startedAt = new Date().toISOString();
  const stream = await runStream(spec, deps);
  const { table, log, duesUs, periodNs: between } = stream;
  const collected = toSamples(table, between, { transportExample: log.requestError(), duesUs });
  const { samples, counts, failures } = sharePart(table, collected, WHOLE, between / NS_PER_US, log.exceptions());
  return {
    ...{ startedAt, samples, counts, failures, ...endOf(stream, deps) },
    ...(spec.ramp === undefined ? {} : { ramp: rampOf([table]) }),
    generator: generatorFacts(stream, collected, deps, bundleSha256),
  };
}
