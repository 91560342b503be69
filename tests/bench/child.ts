import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../lib/package-root.ts';

/** A server in a process of its own that has said, in one line of JSON, that it is ready. */
export interface Child<T> {
  readonly ready: T;
  readonly readyMs: number;
  readonly pid: number;
  readonly close: () => Promise<void>;
}

/** Starts Node with these arguments and waits for its first line. Rejects where it ends before that. */
export async function startChild<T>(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Child<T>> {
  const begun = performance.now();
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: packageRoot(),
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { stdout } = child;
  if (stdout === null) throw new Error('no output');
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: stdout }).once('line', resolve)),
    closed.then(() => Promise.reject(new Error(`${args.join(' ')} ended with ${child.exitCode}`))),
  ]);
  return {
    ready: JSON.parse(line) as T,
    readyMs: performance.now() - begun,
    pid: child.pid ?? 0,
    close: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** Arguments that run a TypeScript file of this folder. */
export function script(name: string, ...args: readonly string[]): string[] {
  return ['--import', 'tsx', `tests/bench/${name}`, ...args];
}

/** Highest resident memory of a process so far, in megabytes; NaN where the system does not show it. */
export function peakMegabytes(pid: number): number {
  const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1000;
}
