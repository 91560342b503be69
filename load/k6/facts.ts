import { counted } from '../../lib/numbers.ts';
import { emptySamples } from '../../lib/records/load/samples.ts';
import type { Collected } from '../stream/samples.ts';
import type { K6Binary } from './binary/binary.ts';
import type { CellDeps, CellRun } from './cell-types.ts';
import { usableCores } from './cores.ts';
import type { Stream } from './stream.ts';

type Generator = CellRun['generator'];

const UNMEASURED = { k6CpuMean: null, k6CpuMax: null, collectorCpuMean: 0, eventLoopDelayP99Ms: 0, clockStepMs: 0 };

/** What the record says of one k6 process. */
export function generatorFacts(
  { table, log, whole, ending, load }: Stream,
  { counts, early }: Collected,
  deps: CellDeps,
  bundleSha256: string,
): Generator {
  const { started, recorded } = counts;
  const agree = started === recorded && table.iterations === started && table.requests === started;
  const warnings = log.warnings();
  if (table.malformed > 0) warnings.push(`${table.malformed} rows of the stream could not be read`);
  if (!whole) warnings.push('the stream does not end with a whole line');
  if (!agree) {
    const rows = `${counted(table.iterations, 'end of an iteration', 'ends of iterations')}, ${counted(table.requests, 'transaction')}, ${recorded} with times`;
    warnings.push(`the stream has ${started} iterations, ${rows}`);
  }
  if (early > 0) warnings.push(`${early} iterations seem to have begun before their intended start`);
  if (load?.k6CpuMean === null) warnings.push('the processor time of k6 cannot be read on this system');
  const { exitCode, signal } = ending;
  return {
    ...{ k6Version: deps.k6.version, k6Sha256: deps.k6.sha256, bundleSha256, exitCode, signal },
    streamComplete: whole && agree && table.malformed === 0 && early === 0 && exitCode === 0,
    ...UNMEASURED,
    ...load,
    cores: usableCores(),
    warnings,
  };
}

/** What stands in the record of a cell that k6 never ran. */
export function noRun(k6: Pick<K6Binary, 'version' | 'sha256'>, startedAt: string): CellRun {
  return {
    startedAt,
    samples: emptySamples(0),
    counts: { scheduled: 0, started: 0, dropped: 0, recorded: 0, exceptions: 0 },
    failures: [],
    generator: {
      ...{ k6Version: k6.version, k6Sha256: k6.sha256, bundleSha256: '' },
      ...{ exitCode: null, signal: null, streamComplete: false, ...UNMEASURED },
      ...{ cores: usableCores(), warnings: [] },
    },
    aborted: false,
  };
}
