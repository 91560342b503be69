import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../lib/package-root.ts';
import type { K6Binary } from '../../load/k6/binary/binary.ts';
import { scenarioBundle } from '../../load/k6/command.ts';
import { runCell } from '../../load/k6/facts.ts';
import { cpuSecondsOf } from '../../load/k6/monitor.ts';
import { SYSTEM_TAGS } from '../../load/stream/parser.ts';

/** Connections that every generator offers its load on: enough to ride out a pause of the machine at the rates tried. */
const CONNECTIONS = 300;
/** Starting up, which takes processor time of its own, is over after this. */
const STARTED_MS = 1500;
const THRESHOLD_CROSSED = 99;

/** Starts a target in a process of its own, so that it takes no time of the collector. */
export async function nullTarget() {
  const child = fork(join(packageRoot(), 'tests', 'bench', 'null-server.ts'));
  const [port] = (await once(child, 'message')) as [number];
  return { baseUrl: `http://127.0.0.1:${port}`, close: () => child.disconnect() };
}

export interface Offered {
  readonly baseUrl: string;
  readonly k6: K6Binary;
  readonly ratePerSecond: number;
  readonly seconds: number;
}

/** What came of a short load: was an arrival dropped, and the share of one core that it took. */
interface Taken {
  readonly dropped: boolean;
  readonly cores: number;
}

export type Generator = (offered: Offered) => Promise<Taken>;

/** Watches processor time between start-up and a moment before the end: of k6, and of this process where it takes part. */
function meter(seconds: number, own: boolean) {
  let cores = Number.NaN;
  const timers: NodeJS.Timeout[] = [];
  return {
    start(pid: number) {
      const used = () => {
        const { user, system } = process.cpuUsage();
        return (cpuSecondsOf(pid) ?? Number.NaN) + (own ? (user + system) / 1e6 : 0);
      };
      timers.push(
        setTimeout(() => {
          const [at, before] = [performance.now(), used()];
          const rest = Math.max(200, seconds * 1000 - STARTED_MS - 200);
          timers.push(
            setTimeout(() => {
              cores = ((used() - before) * 1000) / (performance.now() - at);
            }, rest),
          );
        }, STARTED_MS),
      );
    },
    stop(): number {
      timers.forEach(clearTimeout);
      return cores;
    },
  };
}

/** The harness: k6 with its scenario, its stream read and kept by this process. */
export const harness: Generator = async ({ baseUrl, k6, ratePerSecond, seconds }) => {
  const cpu = meter(seconds, true);
  const run = await runCell(
    {
      operation: 'apply-by-mac',
      baseUrl,
      credentials: { username: 'bench', password: 'bench' },
      ratePerSecond,
      durationSeconds: seconds,
      connections: CONNECTIONS,
      timeoutMs: 2000,
      policyName: 'Bench',
      pool: { offset: 0, size: 500_000, seed: 1, source: { kind: 'range', firstMac: '02:00:00:00:00:00' } },
      userAgent: 'ers-harness-bench',
    },
    { k6, bundle: scenarioBundle('apply-by-mac'), env: process.env, onSpawn: cpu.start },
  );
  const { counts, generator } = run;
  if (!generator.streamComplete) throw new Error(`the stream of k6 is cut: ${generator.warnings.join('; ')}`);
  if (run.failures.length > 0) throw new Error('the target of the bench failed');
  return { dropped: counts.dropped > 0, cores: cpu.stop() };
};

/** Bare k6 with the same PUT, and the CSV of the harness written to nowhere. */
export const bareK6: Generator = async ({ baseUrl, k6, ratePerSecond, seconds }) => {
  const cpu = meter(seconds, false);
  const quiet = ['run', '--quiet', '--no-usage-report', '--summary-mode=disabled'];
  const tags = `--system-tags=${SYSTEM_TAGS.join(',')}`;
  const out = ['--out', 'csv=/dev/null'];
  const child = spawn(k6.path, [...quiet, tags, ...out, join(packageRoot(), 'tests', 'bench', 'bare-put.js')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      BENCH_URL: baseUrl,
      BENCH_RATE: String(ratePerSecond),
      BENCH_SECONDS: String(seconds),
      BENCH_CONNECTIONS: String(CONNECTIONS),
      K6_CSV_TIME_FORMAT: 'unix_micro',
      K6_CSV_SAVE_INTERVAL: '50ms',
    },
    stdio: 'ignore',
  });
  cpu.start(child.pid ?? 0);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0 && code !== THRESHOLD_CROSSED) throw new Error(`bare k6 ended with ${code}`);
  return { dropped: code === THRESHOLD_CROSSED, cores: cpu.stop() };
};
