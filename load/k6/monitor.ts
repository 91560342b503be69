import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { defined } from '../../lib/defined.ts';
import { watchSwap } from './proc.ts';

const INTERVAL_MS = 1000;
/** The kernel counts processor time in hundredths of a second on every supported system. */
const TICKS_PER_SECOND = 100;
const CLOCK_TRIES = 5;
const NS_PER_MS = 1e6;

interface Reading {
  readonly atMs: number;
  readonly cpuSeconds: number;
}

const PS_TIMEOUT_MS = 500;

/** Seconds of `ps -o time`: `[[days-]hours:]minutes:seconds[.hundredths]`. NaN of anything else. */
export function psSeconds(text: string): number {
  const [days, clock] = text.includes('-') ? text.split('-') : ['0', text];
  const seconds = (clock ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part || Number.NaN), 0);
  return Number(days) * 86_400 + seconds;
}

function procSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The command's name may hold spaces and brackets; the fields count from its last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Processor seconds a process has used; undefined if the system does not show it or the process is gone. */
export function cpuSecondsOf(pid: number): number | undefined {
  try {
    const ps = () =>
      psSeconds(
        execFileSync('ps', ['-o', 'time=', '-p', `${pid}`], { timeout: PS_TIMEOUT_MS, encoding: 'utf8' }).trim(),
      );
    const seconds = existsSync('/proc/self/stat') ? procSeconds(pid) : ps();
    return Number.isFinite(seconds) ? seconds : undefined;
  } catch {
    return undefined;
  }
}

/** Wall clock minus monotonic clock; the smallest of a few tries, because the process may be interrupted between the two. */
function clockOffsetMs(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < CLOCK_TRIES; attempt += 1) {
    const before = performance.now();
    const wall = Date.now();
    const spread = performance.now() - before;
    if (spread < 1) return wall - before;
    least = Math.min(least, wall - before);
  }
  return least;
}

/** Shares of one core between readings that begin at `sinceMs` (wall clock) or later: mean and highest. */
export function cpuShares(readings: readonly Reading[], sinceMs: number): { mean: number; max: number } {
  const from = Math.max(
    0,
    readings.findIndex(({ atMs }) => atMs >= sinceMs),
  );
  const used = readings.slice(from);
  const [first, last] = [used[0], used.at(-1)];
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return { mean: 0, max: 0 };
  const share = (a: Reading, b: Reading) => ((b.cpuSeconds - a.cpuSeconds) * 1000) / (b.atMs - a.atMs);
  const steps = used.slice(1).map((reading, index) => share(used[index] ?? first, reading));
  return { mean: share(first, last), max: Math.max(...steps) };
}

/** Watches a process and this one, once a second; `stop(since)` gives the cost, without the seconds before `since`. */
export function watchGenerator(pid: number) {
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  const k6: Reading[] = [];
  const own: Reading[] = [];
  const offset = clockOffsetMs();
  const swap = watchSwap(pid);
  let step = 0;
  const read = () => {
    const atMs = Date.now();
    const cpuSeconds = cpuSecondsOf(pid);
    if (cpuSeconds !== undefined) k6.push({ atMs, cpuSeconds });
    const { user, system } = process.cpuUsage();
    own.push({ atMs, cpuSeconds: (user + system) / 1e6 });
    step = Math.max(step, Math.abs(clockOffsetMs() - offset));
    swap.look();
  };
  read();
  const timer = setInterval(read, INTERVAL_MS);
  return {
    stop(sinceMs: number) {
      clearInterval(timer);
      read();
      loop.disable();
      // The system need not show the processor time of other processes.
      const shares = k6.length > 1 ? cpuShares(k6, sinceMs) : undefined;
      return {
        /** Shares of one core. */
        k6CpuMean: shares?.mean ?? null,
        k6CpuMax: shares?.max ?? null,
        collectorCpuMean: cpuShares(own, sinceMs).mean,
        eventLoopDelayP99Ms: loop.percentile(99) / NS_PER_MS,
        clockStepMs: step,
        ...defined({ swap: swap.use() }),
      };
    },
  };
}
