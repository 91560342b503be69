import type { CellFacts } from '../../lib/records/load/load.ts';
import type { CellProgress } from '../../lib/records/load/progress.ts';
import type { Samples } from '../../lib/records/load/samples.ts';
import type { AbortLimits, Stop } from '../plan/abort-rules.ts';
import type { K6Binary } from './binary/binary.ts';

export interface CellDeps {
  readonly k6: K6Binary;
  /** Bundle to run; `scenarioBundle(operation)` names the one the build makes. */
  readonly bundle: string;
  /** Environment the proxy settings are taken from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** On abort k6 is stopped: SIGINT once, SIGKILL after a grace. The promise resolves all the same. */
  readonly signal?: AbortSignal;
  readonly onSecond?: (progress: CellProgress) => void;
  /** When to stop k6 to spare the target; never, where absent. */
  readonly abort?: AbortLimits;
  /** Told, as each process starts, how to ask it for the number of the newest arrival that was answered with success. */
  readonly onStream?: (newestSuccess: () => number | undefined) => void;
  /** Told the process number once k6 runs. */
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
  /** Stopped by an abort rule. */
  readonly stopped?: Stop;
  /** Stopped by the caller's signal. */
  readonly aborted: boolean;
}
