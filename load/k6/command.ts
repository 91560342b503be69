import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AncOperationName } from '../../lib/contract/anc.ts';
import { defined } from '../../lib/defined.ts';
import { UsageError } from '../../lib/errors.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { SCENARIO_ENV, type ScenarioCell, type ScenarioParameter } from '../../lib/wire/scenario.ts';
import type { CellPool, CellSpec } from '../plan/cell-spec.ts';
import { SYSTEM_TAGS } from '../stream/parser.ts';
import { memoryBounds } from './proc.ts';

/** Writes the endpoints of a pool as they were read and checked, for this user alone; undefined for a range, which needs no file. */
export function writePoolFile({ source }: CellPool) {
  if (source.kind === 'range') return undefined;
  const text = source.text();
  const folder = mkdtempSync(join(tmpdir(), 'ers-pool-'));
  const path = join(folder, 'pool.csv');
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return {
    path,
    /** Of its content, in hexadecimal digits: the scenario compares it. */
    sha256: createHash('sha256').update(text).digest('hex'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
type PoolFile = NonNullable<ReturnType<typeof writePoolFile>>;

export function scenarioBundle(operation: AncOperationName): string {
  return join(packageRoot(), 'dist', 'scenarios', `anc-${operation}.js`);
}

/** Settings of outputs that go elsewhere: they say where to, and change no figure. */
const OUTPUT_SETTINGS = ['K6_PROMETHEUS_RW_', 'K6_OTEL_', 'K6_INFLUXDB_', 'K6_STATSD_'];
/** Standard output carries the samples: a second writer would falsify them. */
const TO_STDOUT = /^(csv|json)$|=(-|\/dev\/(stdout|fd\/1))?$/;

/** What may hold a login in the URL of an output: user information, a query, a fragment. */
const USER_INFO = /\/\/[^/?#]*@|:\/\/.*[?#]/;

/** Throws `UsageError` for an output that would write among the samples, or that holds a login. */
export function checkOutputs(outputs: readonly string[]): void {
  if (outputs.some((output) => USER_INFO.test(output))) {
    throw new UsageError(
      'credentials-in-output',
      'an output of --k6-out has user information or a query, which would end up in reports',
      { hint: 'set them in the environment of k6, such as K6_INFLUXDB_USERNAME and K6_INFLUXDB_PASSWORD' },
    );
  }
  const taken = outputs.find((output) => TO_STDOUT.test(output) || output.trim() === '');
  if (taken === undefined) return;
  throw new UsageError('bad-k6-out', `k6 output "${taken}" would write to standard output, which carries the samples`, {
    hint: 'name a file or another output, such as json=points.json.gz or experimental-prometheus-rw',
  });
}

/** Arguments of k6: standard output holds the samples and nothing else, and k6 decides nothing. */
export function k6Arguments(
  { insecure, k6Outputs = [], k6Tags = {} }: Pick<CellSpec, 'insecure' | 'k6Outputs' | 'k6Tags'>,
  bundle: string,
): string[] {
  const tags = Object.entries(k6Tags).map(([name, value]) => `--tag=${name}=${value}`);
  return [
    'run',
    '--quiet',
    '--no-color',
    '--no-usage-report',
    '--log-output=stderr',
    '--log-format=json',
    '--summary-mode=disabled',
    '--no-thresholds',
    `--system-tags=${SYSTEM_TAGS.join(',')}`,
    ...(insecure === true ? ['--insecure-skip-tls-verify'] : []),
    '--out',
    'csv=-',
    ...k6Outputs.flatMap((output) => ['--out', output]),
    ...(k6Outputs.length === 0 ? [] : tags),
    bundle,
  ];
}

/** What the scenario is told of its cell: no secret is among it. */
export function scenarioCell(spec: CellSpec): ScenarioCell {
  const { baseUrl, ratePerSecond, durationSeconds, connections, timeoutMs, policyName, userAgent, pool } = spec;
  const { schedule, ramp, csrf, markClock, address } = spec;
  const { source, ...part } = pool;
  const { firstMac, firstIp } = source.kind === 'range' ? source : {};
  return {
    ...{ baseUrl, ratePerSecond, durationSeconds, connections, timeoutMs, policyName, userAgent },
    ...defined({ schedule, ramp, csrf, markClock, address }),
    pool: { ...part, ...defined({ firstMac, firstIp }) },
  };
}

/** k6's heap is small and its collections are lag: it may grow far before one is made. Whoever sets it otherwise may. */
export const K6_TUNING = { GOGC: '1600' } as const;

/** Settings that the samples depend on. */
export const K6_SETTINGS = {
  // Whole seconds are the default.
  K6_CSV_TIME_FORMAT: 'unix_micro',
  // The rows of a second at once would take the processor from the requests of that moment.
  K6_CSV_SAVE_INTERVAL: '50ms',
  // An unknown import would otherwise start a download.
  K6_AUTO_EXTENSION_RESOLUTION: 'false',
} as const;

/** Environment of k6: the parameters, the login, and what the caller has, without settings of k6 that could change the measurement. */
export function k6Environment(
  spec: CellSpec,
  env: Readonly<Record<string, string | undefined>>,
  file?: PoolFile,
): Record<string, string> {
  const outputs = (spec.k6Outputs ?? []).length > 0;
  const kept = Object.entries(env).filter(
    ([name]) => !name.startsWith('K6_') || (outputs && OUTPUT_SETTINGS.some((prefix) => name.startsWith(prefix))),
  );
  const { credentials, clientCertificate: own } = spec;
  const given: Readonly<Record<ScenarioParameter, string>> = {
    cell: JSON.stringify(scenarioCell(spec)),
    ...{ username: credentials?.username ?? '', password: credentials?.password ?? '' },
    ...{ clientCertificate: own?.certificate ?? '', clientKey: own?.key ?? '' },
    ...{ poolFile: file?.path ?? '', poolDigest: file?.sha256 ?? '' },
  };
  return {
    ...K6_TUNING,
    GOMEMLIMIT: `${memoryBounds(spec).soft}MiB`,
    ...(Object.fromEntries(kept.filter(([, value]) => value !== undefined)) as Record<string, string>),
    ...Object.fromEntries(
      Object.entries(given).map(([name, value]) => [SCENARIO_ENV[name as ScenarioParameter], value]),
    ),
    ...defined({ SSL_CERT_FILE: spec.caFile === undefined ? undefined : resolve(spec.caFile) }),
    ...K6_SETTINGS,
  };
}
