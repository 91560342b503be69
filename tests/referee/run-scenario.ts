import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stubTarget } from '../helpers/stub-target.ts';
import { LOGIN, type WatchedDeployment, watchedDeployment } from './deployment.ts';
import type { Audited } from './exchange.ts';
import { meddlingProxy } from './meddler.ts';
import type { AuditingProxy } from './proxy.ts';
import type { Armed, RefereeMode, Scenario } from './scenario.ts';
import { type Sighting, violationsOf } from './violations.ts';
import { watchedProcess } from './watched-process.ts';

export const LOGIN_ENV = { ERS_USERNAME: LOGIN.username, ERS_PASSWORD: LOGIN.password } as const;
/** Time for checks: of a small run, and of any other. */
const DEADLINE_SECONDS = { small: 2, other: 8 } as const;
/** The deadline, answers under way, cleaning up, and the report, on a machine with nothing else to do. */
const LIMIT_SECONDS: Readonly<Record<RefereeMode, number>> = {
  'read-only': 120,
  'own-data': 120,
  full: 120,
  // A slow target is asked for each endpoint, before the load and after it.
  load: 240,
};

/** Texts of the files below a folder, by their paths in it; no link is followed. */
export function textsBelow(folder: string, root = folder): [string, string][] {
  return readdirSync(folder).flatMap((name): [string, string][] => {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) return textsBelow(path, root);
    return stat.isFile() ? [[relative(root, path), readFileSync(path, 'utf8')]] : [];
  });
}

/** A limit on a machine that has more to do than it has cores: as much longer as its work waits, and at most ten minutes. */
export const patient = (seconds: number): number =>
  Math.min(600, seconds * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));

/** What the proxy wrote down, a line for each request. */
function auditLines(audit: readonly Audited[]): string {
  const lines = audit.map(({ number, asked, honest, told, mutations }) => {
    const { method, url, body } = asked;
    const { status, headers, delivery } = told;
    const text = told.body.toString('utf8').slice(0, 2000);
    const answer = { was: honest?.status ?? null, told: status, headers, delivery, text };
    return JSON.stringify({ number, method, url, body, ...answer, mutations });
  });
  return `${lines.join('\n')}\n`;
}

/** What a scenario plays on: a folder, the deployment of a seed behind a meddler, and a server that nothing may ever reach. */
export async function onStage<T>(
  seed: number,
  armed: readonly Armed[],
  play: (stage: Stage) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ers-referee-'));
  const deployment = await watchedDeployment(seed);
  const elsewhere = await stubTarget((_request, response) => response.end('{}'));
  const proxy = await meddlingProxy(armed, deployment, elsewhere.baseUrl);
  const reached = () =>
    elsewhere.seen.map(({ method, url, headers }) => `${method} ${url.slice(0, 100)} as ${headers.authorization}`);
  try {
    return await play({ folder, deployment, proxy, elsewhere: elsewhere.baseUrl, reached });
  } finally {
    await Promise.all([proxy, deployment, elsewhere].map((each) => each.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Stage {
  readonly folder: string;
  readonly deployment: WatchedDeployment;
  readonly proxy: AuditingProxy;
  readonly elsewhere: string;
  /** Requests that came to the other server. */
  readonly reached: () => readonly string[];
}

function argumentsOf(
  { mode, families, checks, seed, small }: Scenario,
  { pool, policy }: WatchedDeployment,
  baseUrl: string,
  out: string,
): string[] {
  const common = ['--base-url', baseUrl, '--timeout', '1s', '--seed', String(seed), '--out', out];
  const anc = ['--endpoints', pool, '--policy', policy];
  if (mode === 'load')
    return [
      ...['load', ...common, ...anc, '--profile', '60k', '--operation', 'apply-by-mac'],
      ...['--rate', '4', '--duration', '2s', '--ramp', '0'],
    ];
  const selected = [...families.flatMap((name) => ['--family', name]), ...checks.flatMap((id) => ['--check', id])];
  const deadline = `${small ? DEADLINE_SECONDS.small : DEADLINE_SECONDS.other}s`;
  return [
    ...['conformance', ...common, '--mode', mode, ...(mode === 'full' ? anc : []), ...selected],
    ...['--deadline', deadline, ...(small ? ['--no-retry'] : [])],
  ];
}

/** Runs the program against the deployment of a scenario, and judges what it did. `keep`: where the run folder of a failure is kept. */
export const runScenario = (scenario: Scenario, keep?: string) =>
  onStage(scenario.seed, scenario.armed, async ({ folder, deployment, proxy, reached }) => {
    const args = argumentsOf(scenario, deployment, proxy.baseUrl, join(folder, 'run'));
    const ended = await watchedProcess(args, LOGIN_ENV, patient(LIMIT_SECONDS[scenario.mode]));
    const sighting: Sighting = {
      ...{ mode: scenario.mode, ended, audit: proxy.audit, elsewhere: reached() },
      before: [...deployment.before, ...deployment.handed],
      takenAtMs: deployment.takenAtMs,
      handedIds: new Set(deployment.handed.map(({ record }) => record.id)),
      after: deployment.records(),
      foreignIds: deployment.foreignIds(),
      files: new Map(textsBelow(folder).map(([path, text]) => [path.replace(/^run\//, ''), text])),
    };
    /** Answers that were changed, by mutation. */
    const changed: Record<string, number> = {};
    for (const { mutations } of proxy.audit) for (const id of mutations) changed[id] = (changed[id] ?? 0) + 1;
    const violations = violationsOf(sighting);
    if (keep !== undefined && violations.length > 0) {
      writeFileSync(join(folder, 'audit.ndjson'), auditLines(proxy.audit));
      writeFileSync(join(folder, 'stderr.txt'), ended.stderr);
      cpSync(folder, join(keep, `${scenario.mode}-${scenario.seed}`), { recursive: true });
    }
    return { violations, ended, changed, requests: proxy.audit.length };
  });
