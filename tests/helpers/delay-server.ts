import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../lib/package-root.ts';
import { seededRandom } from '../../lib/random.ts';

/** A queue with so many equal servers and exponential service times, first come first served. */
export interface Queue {
  readonly servers: number;
  /** Mean service time, milliseconds. */
  readonly meanMs: number;
}

/** Response times of such a queue for arrivals at these moments, in their order, milliseconds. */
export function simulateQueue(
  duesUs: Float64Array,
  { servers, meanMs, seed }: Queue & { readonly seed: number },
): number[] {
  const random = seededRandom(seed);
  const free = new Float64Array(servers);
  return Array.from(duesUs, (dueUs) => {
    const cameMs = dueUs / 1000;
    const server = free.indexOf(Math.min(...free));
    const end = Math.max(cameMs, free[server] ?? 0) - meanMs * Math.log(1 - random());
    free[server] = end;
    return end - cameMs;
  });
}

/** Probability that an arrival has to wait (Erlang C). */
function erlangC(servers: number, offered: number): number {
  let blocked = 1;
  for (let server = 1; server <= servers; server += 1) blocked = (offered * blocked) / (server + offered * blocked);
  return blocked / (1 - (offered / servers) * (1 - blocked));
}

/** Percentile of the response time of M/M/c in theory, milliseconds. */
export function mmcPercentile(
  p: number,
  { servers, meanMs, ratePerSecond }: Queue & { readonly ratePerSecond: number },
): number {
  const offered = (ratePerSecond * meanMs) / 1000;
  const waits = erlangC(servers, offered);
  const spare = servers - 1 - offered;
  const beyond = (ms: number) => {
    const t = ms / meanMs;
    const tail = Math.abs(spare) < 1e-9 ? t : (1 - Math.exp(-spare * t)) / spare;
    return Math.exp(-t) * (1 + waits * tail);
  };
  let [low, high] = [0, meanMs];
  while (beyond(high) > 1 - p) high *= 2;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (beyond(middle) > 1 - p) low = middle;
    else high = middle;
  }
  return high;
}

/** One request as the target saw it; wall clock in milliseconds. */
export interface LoggedRequest {
  readonly mac: string;
  readonly cameMs: number;
  readonly answeredMs: number;
}

/** How long the target holds requests: one delay after the other, and at least until the end of a stall. */
export interface Delays {
  readonly delaysMs: readonly number[];
  readonly stall: { readonly afterMs: number; readonly lengthMs: number } | null;
  /** A queue of workers with exponential service times, first come first served, instead of the delays. */
  readonly queue?: Queue & { readonly seed: number };
}

/** Starts a target in a process of its own, so that neither the collector nor the test delays it. */
export async function delayServer(delays: Delays) {
  const program = join(packageRoot(), 'tests', 'helpers', 'delay-server.mjs');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  const port = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdin.write(`${JSON.stringify(delays)}\n`);
  const baseUrl = `http://127.0.0.1:${await port}`;
  return {
    baseUrl,
    /** Ends the target and gives its log. */
    async finish() {
      child.stdin.end();
      await closed;
      return JSON.parse(text.slice(text.indexOf('\n') + 1)) as LoggedRequest[];
    },
  };
}
