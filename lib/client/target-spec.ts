import * as z from 'zod';
import { above0, option, text, time, whole } from '../option.ts';
import { RunOptions } from '../records/run-options.ts';

/** Most connections that any part of a run may open. */
export const MOST_CONNECTIONS = 5000;
const LONGEST_WAIT_MS = 600_000;

export const TargetSpec = z.object({
  baseUrl: option('--base-url <url>', 'deployment, such as https://policy.example.com:9060', text().optional(), {
    env: 'ERS_BASE_URL',
  }),
  ca: RunOptions.shape.ca,
  cert: RunOptions.shape.cert,
  key: RunOptions.shape.key,
  insecure: RunOptions.shape.insecure,
  allowHttp: RunOptions.shape.allowHttp,
  timeoutMs: option(
    '--timeout <time>',
    'longest wait for one answer',
    time('ms', { high: LONGEST_WAIT_MS }).default(30_000),
    { env: 'ERS_TIMEOUT', help: 'all' },
  ),
  connections: option('--connections <n>', 'most connections', whole(1, MOST_CONNECTIONS).optional(), {
    otherwise: '10; for a load as many as the measured latency needs',
    env: 'ERS_CONNECTIONS',
    help: 'all',
  }),
  maxRps: option('--max-rps <n>', 'most requests per second during conformance', above0().optional(), {
    otherwise: 'no limit',
    env: 'ERS_MAX_RPS',
    help: 'all',
  }),
  seed: option('--seed <n>', 'seed of generated data and order', whole(0, 0xffffffff).default(1), {
    env: 'ERS_SEED',
    help: 'all',
  }),
});
export type TargetSpec = z.output<typeof TargetSpec>;
