import type { AncOperationName } from '../lib/contract/anc.ts';
import type { CellFacts } from '../lib/records/load.ts';
import type { Samples } from '../lib/records/samples.ts';
import type { Share } from '../lib/records/segments.ts';
import type { AbortLimits, Stop } from './abort-rules.ts';
import type { K6Binary } from './k6-binary.ts';

/** The part of the endpoint pool that one cell uses: `size` endpoints from number `offset` on. */
export interface CellPool {
  readonly offset: number;
  readonly size: number;
  /** Order of use: `permutation(size, seed)`. Apply and clear of one chain share it. */
  readonly seed: number;
  readonly source:
    | { readonly kind: 'range'; readonly firstMac: string; readonly firstIp?: string }
    /** File with one `MAC[,IP]` per line; blank lines and lines starting with # do not count. */
    | { readonly kind: 'file'; readonly path: string };
}

/** One cell as k6 runs it. */
export interface CellSpec {
  readonly operation: AncOperationName;
  readonly baseUrl: string;
  readonly credentials: { readonly username: string; readonly password: string } | null;
  readonly caFile?: string;
  readonly insecure?: boolean;
  readonly ratePerSecond: number;
  readonly durationSeconds: number;
  /** An unmeasured climb from nothing to the rate before it, on the endpoints of the first `arrivals`. */
  readonly ramp?: { readonly seconds: number; readonly arrivals: number };
  /** Connections, one for each virtual user. */
  readonly connections: number;
  readonly timeoutMs: number;
  readonly policyName: string;
  readonly pool: CellPool;
  /** Fetch a CSRF token on every connection, and again when it is refused. */
  readonly csrf?: boolean;
  /** A new connection for each transaction, to compare with connections that are kept. */
  readonly newConnections?: boolean;
  /** Names the run to whoever reads the target's log. */
  readonly userAgent: string;
  /** k6 processes that carry the arrivals together, with one common start; one unless set. */
  readonly segments?: number;
  /** Further outputs of k6, as k6 takes them with --out; the samples stay on its standard output. */
  readonly k6Outputs?: readonly string[];
  /** Tags on what goes to those outputs; few values each, because every combination is a time series. */
  readonly k6Tags?: Readonly<Record<string, string>>;
}

/** One second of a running cell, as far as k6 has reported it. */
export interface CellProgress {
  /** Seconds since the first row. */
  readonly second: number;
  readonly startedPerSecond: number;
  /** Since the cell began. */
  readonly dropped: number;
  readonly failed: number;
  /** Service time of the transactions that ended in this second; null when none did. */
  readonly p99Ms: number | null;
}

export interface CellDeps {
  readonly k6: K6Binary;
  /** Bundle to run; `scenarioBundle(operation)` names the one the build makes. */
  readonly bundle: string;
  /** Environment the proxy settings are taken from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** On abort k6 is stopped: SIGINT once, SIGKILL after `graceMs`. The promise resolves all the same. */
  readonly signal?: AbortSignal;
  readonly graceMs?: number;
  readonly onSecond?: (progress: CellProgress) => void;
  /** When to stop k6 to spare the target; never, where absent. */
  readonly abort?: AbortLimits;
  /** Told, as each process starts, how to ask it for the number of the newest arrival that was answered with success. */
  readonly onStream?: (newestSuccess: () => number | undefined) => void;
  /** Told the process number once k6 runs. */
  readonly onSpawn?: (pid: number) => void;
}

/** What a run of k6 gives to the facts of a cell; plan and read-back are the caller's to add. */
export interface CellRun extends Pick<CellFacts, 'startedAt' | 'counts' | 'failures' | 'generator' | 'segments'> {
  readonly samples: Samples;
  /** What became of the arrivals of the climb; `succeeded` holds their numbers. Absent where there was none. */
  readonly ramp?: RampRun;
  /** Stopped by an abort rule. */
  readonly stopped?: Stop;
  /** Stopped by the caller's signal. */
  readonly aborted: boolean;
  /** What each process recorded, where there were several. */
  readonly parts?: readonly CellRunPart[];
}

/** Endings of a climb. What was under way when it ended is none of them. */
export interface RampRun {
  readonly succeeded: readonly number[];
  readonly failed: number;
  readonly dropped: number;
}

/** What one of several processes recorded of its share. */
export interface CellRunPart extends Pick<CellFacts, 'counts' | 'failures' | 'generator'>, Share {
  readonly samples: Samples;
  /** Start of its schedule, wall clock in microseconds. */
  readonly startUs: number;
}
