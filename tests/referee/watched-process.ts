import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { PROGRAM } from '../helpers/cli.ts';

/** How a process of the program under test ended. */
export interface Ended {
  /** Null where it was killed. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  readonly peakKib: number;
  /** Most files, pipes and sockets that were open at a time. */
  readonly peakFds: number;
  /** It was still there at its limit, and was killed. */
  readonly hung: boolean;
}

const LOOK_MS = 50;
/** Output beyond this is a fault of its own, and is not kept. */
const MOST_OUTPUT = 20_000_000;

/** Largest resident size so far of a process in KiB; 0 once it is gone. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Files, pipes and sockets that a process has open now; 0 once it is gone. */
function openFdsOf(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

/** Runs the built program, bounded in time, with its peak memory measured where the system tells it. */
export function watchedProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  limitSeconds: number,
): Promise<Ended> {
  const { ERS_USERNAME: _u, ERS_PASSWORD: _p, ERS_CREDENTIALS_FILE: _f, ...rest } = process.env;
  const begun = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...rest, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      if (out[name].length < MOST_OUTPUT) out[name] += text;
    });
  }
  let peakKib = 0;
  let peakFds = 0;
  let hung = false;
  const look = setInterval(() => {
    peakKib = Math.max(peakKib, peakOf(child.pid));
    peakFds = Math.max(peakFds, openFdsOf(child.pid));
  }, LOOK_MS);
  const limit = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, limitSeconds * 1000);
  return new Promise((resolve) =>
    child.once('close', (code, signal) => {
      clearInterval(look);
      clearTimeout(limit);
      resolve({ code, signal, ...out, seconds: (performance.now() - begun) / 1000, peakKib, peakFds, hung });
    }),
  );
}
