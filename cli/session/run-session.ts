import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { arch, cpus, platform, release } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type * as z from 'zod';
import { redactedWriter, redactor } from '../../lib/client/redaction/redact.ts';
import type { ErsClient, TargetConfig } from '../../lib/client/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { HarnessError } from '../../lib/errors.ts';
import { sweepArgs } from '../../lib/judge/answer/answer-of.ts';
import { recordedOptions } from '../../lib/option.ts';
import { protectOutgoing } from '../../lib/outgoing.ts';
import { packageVersion } from '../../lib/package-root.ts';
import { commandLine } from '../../lib/records/answer.ts';
import { openRunFolder } from '../../lib/records/folder/writer.ts';
import { mergeCleanup, RECORD_VERSION, type RunEnd, type RunHeader, type TakenLater } from '../../lib/records/run.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { startLive } from '../live/live.ts';
import { RUNS_FOLDER, runId } from '../options/runs.ts';
import type { Output } from '../output/output.ts';
import { waitNotice } from '../output/progress.ts';
import { catalogueOf, specDigest } from './catalogue.ts';
import { faultOf, watchSignals } from './signals.ts';

interface SessionOptions {
  readonly command: string;
  readonly mode: Mode;
  /** The options as they apply, and the schema that says which of them are recorded; `live` serves a page of the run while it goes on. */
  readonly options: Readonly<Record<string, unknown>> & {
    readonly seed: number;
    readonly insecure: boolean;
    readonly out?: string | undefined;
    readonly live?: boolean | undefined;
  };
  readonly spec: z.ZodObject;
  /** Absent if the target is an embedded deployment. */
  readonly target?: TargetConfig | undefined;
  /** Ids of all checks, in a run of checks. */
  readonly checks?: readonly string[];
  /** It repeats a part of another run: runs/latest stays as it is. */
  readonly replay?: true;
}

const environment = (processors = cpus()): Record<string, string> => ({
  node: process.version,
  system: `${platform()} ${release()} ${arch()}`,
  processor: processors[0]?.model.trim() ?? 'unknown',
  cores: String(processors.length),
});

/** Points runs/latest at a run; a file system without links goes without. */
function linkLatest(folder: string): void {
  const link = join(dirname(folder), 'latest');
  try {
    if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(link);
    symlinkSync(basename(folder), link);
  } catch {
    // The link is a convenience: the path is printed in any case.
  }
}

function mkdirIfDefault(out: string | undefined): void {
  if (out !== undefined) return;
  try {
    mkdirSync(RUNS_FOLDER, { recursive: true });
  } catch {
    // openRunFolder says what is wrong with the folder.
  }
}

/** One run: owns the folder, the signals and end.json. Header and catalogue are written before anything is sent. */
export function startSession(given: SessionOptions, output: Output) {
  const { command, mode, spec, options, replay } = given;
  const target: RunHeader['target'] = {
    baseUrl: given.target?.baseUrl ?? 'embedded',
    embedded: given.target === undefined,
    insecure: options.insecure,
  };
  const started = systemClock.now();
  const startedMs = systemClock.monotonicMs();
  const id = runId(started);
  const folder = resolve(options.out ?? join(RUNS_FOLDER, id));
  mkdirIfDefault(options.out);
  let redact = redactor(null);
  const writer = redactedWriter(openRunFolder(folder), () => redact);
  const header: RunHeader = {
    recordVersion: RECORD_VERSION,
    runId: id,
    command,
    tool: { name: 'ers-harness', version: packageVersion() },
    startedAt: started.toISOString(),
    seed: options.seed,
    mode,
    target,
    options: recordedOptions(spec, { ...options, mode }),
    environment: environment(),
    specDigest: specDigest(),
  };
  writer.header(header);
  writer.catalogue(catalogueOf(FAMILIES, given.checks));
  const signals = watchSignals(output.warn, {
    ...(target.embedded ? {} : { sweep: commandLine(sweepArgs(header), folder) }),
  });
  const live =
    options.live === true ? startLive({ command, runId: id, target: target.baseUrl }, output.warn) : undefined;
  const faults: RunEnd['faults'] = [];
  const requests: Record<string, number> = {};
  const takenLater: TakenLater[] = [];
  let clients = 1;
  let cleanup: RunEnd['cleanup'] = { created: 0, removed: 0, residue: [] };
  return {
    id,
    writer,
    /** Keeps a login out of every record from now on, also where a target echoes it. */
    protect(credentials: TargetConfig['credentials']): void {
      redact = redactor(credentials);
      protectOutgoing(redact.net);
    },
    signals,
    live,
    waits: waitNotice(output.say),
    /** Something that kept the run from its aim; judged from the records. */
    fault(fault: unknown): void {
      const hint = fault instanceof HarnessError ? fault.hint : undefined;
      faults.push({ ...faultOf(fault), ...defined({ hint }) });
    },
    /** Makes runs/latest name this run. A folder given with --out and a replay are not named. */
    nameLatest(): void {
      if (options.out === undefined && replay !== true) linkLatest(folder);
    },
    /** First letters of the exchange ids of the next client, different for each. */
    nextPrefix: (): string => `c${clients++}-`,
    addRequests(client: Pick<ErsClient, 'requests' | 'takenLater'>): void {
      takenLater.push(...client.takenLater());
      for (const [method, count] of Object.entries(client.requests()))
        requests[method] = (requests[method] ?? 0) + count;
    },
    cleanup: () => cleanup,
    addCleanup(more: RunEnd['cleanup']): void {
      cleanup = mergeCleanup(cleanup, more);
    },
    /** Writes end.json and closes the records; the reports come after it. */
    end(): void {
      const signal = signals.received();
      writer.end({
        finishedAt: systemClock.now().toISOString(),
        durationMs: Math.round(systemClock.monotonicMs() - startedMs),
        ...defined({ signal }),
        faults,
        requests,
        ...defined({ takenLater: takenLater.length === 0 ? undefined : takenLater }),
        cleanup,
      });
      writer.close();
      signals.stop();
    },
  };
}

export type RunSession = Readonly<ReturnType<typeof startSession>>;
