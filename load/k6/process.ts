import { type ChildProcess, spawn } from 'node:child_process';
import { GeneratorError } from '../../lib/errors.ts';
import type { CellFacts } from '../../lib/records/load/load.ts';

/** How a process ended; both null only where it never began. `aborted`: stopped because the caller's signal was given. */
type Ending = Pick<CellFacts['generator'], 'exitCode' | 'signal'> & { readonly aborted: boolean };

export interface ProcessOptions {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Between SIGINT and SIGKILL; asked when it is stopped. */
  readonly graceMs: () => number;
  readonly onSpawn: (pid: number) => void;
  readonly onOutput: (chunk: Uint8Array) => void;
  readonly onLog: (chunk: string) => void;
}

function stop(child: ChildProcess, graceMs: number): () => void {
  // Once: the first signal ends k6 in order, a second one would make it drop what it has not written.
  child.kill('SIGINT');
  const timer = setTimeout(() => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It ended by itself in the meantime.
    }
  }, graceMs);
  return () => clearTimeout(timer);
}

/** Runs a process in its own group, so that Ctrl-C reaches it once, through us. Rejects with `GeneratorError` if it does not start. */
export function runProcess(options: ProcessOptions): Promise<Ending> {
  const { path, args, env, signal, graceMs } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return resolve({ exitCode: null, signal: null, aborted: true });
    const child = spawn(path, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let aborted = false;
    let calm = () => {};
    const abort = () => {
      aborted = true;
      calm = stop(child, graceMs());
    };
    signal?.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', options.onOutput);
    child.stderr.setEncoding('utf8').on('data', options.onLog);
    child.on('spawn', () => options.onSpawn(child.pid ?? 0));
    child.on('error', (cause) => {
      signal?.removeEventListener('abort', abort);
      if (child.pid === undefined) reject(new GeneratorError('k6-start', `${path} could not be started`, { cause }));
    });
    child.on('close', (exitCode, ended) => {
      signal?.removeEventListener('abort', abort);
      calm();
      resolve({ exitCode, signal: ended, aborted });
    });
  });
}
