import * as z from 'zod';
import { option } from '../option.ts';
import { above0, onOff, text, time, whole } from '../option-values.ts';

/** Most connections that any part of a run may open. */
export const MOST_CONNECTIONS = 5000;
/** Longest wait for one answer, milliseconds. */
const LONGEST_WAIT_MS = 600_000;

/** Which deployment a command talks to, and how. */
export const TargetSpec = z.object({
  baseUrl: option(
    {
      flag: '--base-url <url>',
      text: 'deployment, such as https://policy.example.com:9060',
      env: 'ERS_BASE_URL',
    },
    text().optional(),
  ),
  ca: option(
    {
      flag: '--ca <file>',
      text: 'PEM file of the authority of its certificate',
      env: 'ERS_CA',
      path: true,
    },
    text().optional(),
  ),
  cert: option(
    {
      flag: '--cert <file>',
      text: 'PEM file with the certificate to show to a deployment that asks for one',
      env: 'ERS_CERT',
      path: true,
      help: 'all',
    },
    text().optional(),
  ),
  key: option(
    {
      flag: '--key <file>',
      text: 'PEM file with its private key, mode 0600; ERS_KEY_PASSPHRASE opens it',
      env: 'ERS_KEY',
      path: true,
      help: 'all',
    },
    text().optional(),
  ),
  insecure: option(
    { flag: '--insecure', text: 'accept any certificate; stamped in the report', env: 'ERS_INSECURE' },
    onOff().default(false),
  ),
  allowHttp: option(
    {
      flag: '--allow-http',
      text: 'send the login over plain HTTP to another machine: anybody on the network can read it',
      env: 'ERS_ALLOW_HTTP',
      help: 'all',
    },
    onOff().default(false),
  ),
  timeoutMs: option(
    { flag: '--timeout <time>', text: 'longest wait for one answer', env: 'ERS_TIMEOUT', help: 'all' },
    time('ms', { high: LONGEST_WAIT_MS }).default(30_000),
  ),
  connections: option(
    {
      flag: '--connections <n>',
      text: 'most connections',
      otherwise: '10; for a load as many as the measured latency needs',
      env: 'ERS_CONNECTIONS',
      help: 'all',
    },
    whole(1, MOST_CONNECTIONS).optional(),
  ),
  maxRps: option(
    {
      flag: '--max-rps <n>',
      text: 'most requests per second during conformance',
      otherwise: 'no limit',
      env: 'ERS_MAX_RPS',
      help: 'all',
    },
    above0().optional(),
  ),
  seed: option(
    { flag: '--seed <n>', text: 'seed of generated data and order', env: 'ERS_SEED', help: 'all' },
    whole(0, 0xffffffff).default(1),
  ),
});
export type TargetSpec = z.output<typeof TargetSpec>;
