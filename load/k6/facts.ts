import { type CellFacts, emptySamples, type Samples } from '../../lib/records/load/load.ts';
import type { CellProgress } from '../../lib/records/load/parts.ts';
import { counted } from '../../lib/text.ts';
import type { AbortLimits, Stop } from '../plan/abort-rules.ts';
import type { Collected } from '../stream/samples.ts';
import type { K6Binary } from './binary/binary.ts';
import { usableCores } from './proc.ts';
import type { Stream } from './stream.ts';

export interface CellDeps {
  readonly k6: K6Binary;
  /** Bundle to run; `scenarioBundle(operation)` names the one the build makes. */
  readonly bundle: string;
  /** Environment the proxy settings are taken from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** On abort k6 is stopped: SIGINT once, SIGKILL after a grace. The promise still resolves. */
  readonly signal?: AbortSignal;
  readonly onSecond?: (progress: CellProgress) => void;
  /** When to stop k6 to spare the target; never, where absent. */
  readonly abort?: AbortLimits;
  /** Told, as k6 starts, how to ask it for the number of the newest arrival that was answered with success. */
  readonly onStream?: (newestSuccess: () => number | undefined) => void;
  readonly onSpawn?: (pid: number) => void;
}

/** Code of the fault of a cell whose runners elsewhere may still load the target: no endpoint may be touched. */
export const RUNNERS_LEFT = 'runners-left';
/** Code of the fault of a cell that would end in the same way if it was tried again. */
export const SAME_AGAIN = 'same-again';

/** What a run of k6 gives to the facts of a cell; plan and read-back are the caller's to add. */
export interface CellRun extends Pick<CellFacts, 'startedAt' | 'counts' | 'failures' | 'generator' | 'segments'> {
  readonly samples: Samples;
  /** Ends of the arrivals of a ramp-up: numbers of the successes; what was under way when it ended is in none. */
  readonly ramp?: { readonly succeeded: readonly number[]; readonly failed: number; readonly dropped: number };
  readonly stopped?: Stop;
  /** Stopped by the caller's signal. */
  readonly aborted: boolean;
}

type Generator = CellRun['generator'];

const UNMEASURED = { k6CpuMean: null, k6CpuMax: null, collectorCpuMean: 0, eventLoopDelayP99Ms: 0, clockStepMs: 0 };

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
