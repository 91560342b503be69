import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { arch, cpus, platform, release } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type * as z from 'zod';
import { redactor } from '../../lib/client/redaction/redact.ts';
import { redactedWriter } from '../../lib/client/redaction/redact-records.ts';
import type { ClientOptions, TargetConfig } from '../../lib/client/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { HarnessError, messageOf } from '../../lib/errors.ts';
import { sweepArgs } from '../../lib/judge/answer/next.ts';
import { recordedOptions } from '../../lib/option.ts';
import { protectOutgoing } from '../../lib/outgoing.ts';
import { packageVersion } from '../../lib/package-root.ts';
import { openRunFolder, type RunWriter } from '../../lib/records/folder/writer.ts';
import { mergeCleanup, RECORD_VERSION, type RunEnd, type RunHeader } from '../../lib/records/run.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { commandLine } from '../../reports/model/command-line.ts';
import { type Live, startLive } from '../live/live.ts';
import type { Output } from '../output/output.ts';
import { waitNotice } from '../output/progress.ts';
import { catalogueOf, specDigest } from './catalogue.ts';
import { faultCode, faultKind } from './exit.ts';
import { runId } from './run-id.ts';
import { type SignalWatch, watchSignals } from './signals.ts';

/** What a run is started with. */
export interface SessionOptions {
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
  /** Absent where the target is an embedded deployment. */
  readonly target?: TargetConfig | undefined;
  /** It repeats a part of another run: runs/latest stays as it is. */
  readonly replay?: true;
}

/** One run from its first record to its last; owns the folder, the signals and what goes into end.json. */
export interface RunSession {
  readonly id: string;
  readonly writer: RunWriter;
  readonly signals: SignalWatch;
  readonly live: Live | undefined;
  /** Tells of waits that the target asks for, one of many. */
  readonly waits: NonNullable<ClientOptions['onWait']>;
  /** Keeps a login out of every record from now on, also where a target echoes it. */
  readonly protect: (credentials: TargetConfig['credentials']) => void;
  /** Something that kept the run from its aim; judged from the records. */
  readonly fault: (fault: unknown) => void;
  /** First letters of the exchange ids of the next client, different for each. */
  readonly nextPrefix: () => string;
  readonly addRequests: (requests: Readonly<Record<string, number>>) => void;
  readonly addCleanup: (cleanup: RunEnd['cleanup']) => void;
  /** What the clean-up left, so far. */
  readonly residue: () => RunEnd['cleanup']['residue'];
  /** Writes end.json; the reports come after it. */
  readonly end: () => void;
  /** Makes runs/latest name this run. A folder given with --out and a replay are not named. */
  readonly nameLatest: () => void;
}

function environment(): Record<string, string> {
  const processors = cpus();
  return {
    node: process.version,
    system: `${platform()} ${release()} ${arch()}`,
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: String(processors.length),
  };
}

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

/** Opens the run folder and writes its header and catalogue, before anything is sent. */
export function startSession(given: SessionOptions, output: Output): RunSession {
  const { command, mode, spec, options, replay } = given;
  const target: RunHeader['target'] = {
    baseUrl: given.target?.baseUrl ?? 'embedded',
    embedded: given.target === undefined,
    insecure: options.insecure,
  };
  const started = systemClock.now();
  const startedMs = systemClock.monotonicMs();
  const id = runId(started, Math.random);
  const folder = resolve(options.out ?? join('runs', id));
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
  writer.catalogue(catalogueOf(FAMILIES));
  const signals = watchSignals(output.warn, {
    ...(target.embedded ? {} : { sweep: commandLine(sweepArgs(header), folder) }),
  });
  const live =
    options.live === true ? startLive({ command, runId: id, target: target.baseUrl }, output.warn) : undefined;
  const faults: RunEnd['faults'] = [];
  const requests: Record<string, number> = {};
  let clients = 1;
  let cleanup: RunEnd['cleanup'] = { created: 0, removed: 0, residue: [] };
  return {
    id,
    writer,
    protect(credentials) {
      redact = redactor(credentials);
      protectOutgoing(redact.net);
    },
    signals,
    live,
    waits: waitNotice(output.say),
    fault(fault) {
      const hint = fault instanceof HarnessError ? fault.hint : undefined;
      faults.push({
        kind: faultKind(fault),
        code: faultCode(fault),
        message: messageOf(fault),
        ...defined({ hint }),
      });
    },
    nameLatest() {
      if (options.out === undefined && replay !== true) linkLatest(folder);
    },
    nextPrefix: () => `c${clients++}-`,
    addRequests(counted) {
      for (const [method, count] of Object.entries(counted)) requests[method] = (requests[method] ?? 0) + count;
    },
    residue: () => cleanup.residue,
    addCleanup(more) {
      cleanup = mergeCleanup(cleanup, more);
    },
    end() {
      const signal = signals.received();
      writer.end({
        finishedAt: systemClock.now().toISOString(),
        durationMs: Math.round(systemClock.monotonicMs() - startedMs),
        ...defined({ signal }),
        faults,
        requests,
        cleanup,
      });
      signals.stop();
    },
  };
}

function mkdirIfDefault(out: string | undefined): void {
  if (out !== undefined) return;
  try {
    mkdirSync('runs', { recursive: true });
  } catch {
    // openRunFolder says what is wrong with the folder.
  }
}
