import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellReport } from '../../lib/records/load/load.ts';
import { Report } from '../../lib/records/report.ts';
import { type CliResult, runCli, type ServedDeployment, serveCli } from '../helpers/cli.ts';
import { k6Bench } from '../helpers/k6-run.ts';
import { namespaceManifest, samplesVolume } from './cluster-objects.ts';
import { type ControlPlane, defineTestRuns, startControlPlane, startKubelets } from './control-plane.ts';
import { OPERATOR, operatorOf } from './operator.ts';
import { findParts } from './parts.ts';

const parts = findParts();
const missing =
  'missing' in parts
    ? parts.missing
    : parts.kubelet === undefined
      ? 'the stand-in for the kubelets was not built: run node tests/cluster/build-parts.mjs'
      : process.getuid?.() === 0
        ? undefined
        : 'the stand-in for the kubelets needs root';
if (missing !== undefined) console.log(`no cell is run: ${missing}`);
else if (OPERATOR === undefined) console.log('the operator is played: ERS_K6_OPERATOR names none');

const home = mkdtempSync(join(tmpdir(), 'ers-cells-'));
let plane: ControlPlane;
let stopKubelets = async () => {};
let plain: ServedDeployment;
let locked: ServedDeployment;
let cells = 0;

const addressOf = ({ baseUrl }: ServedDeployment) => new URL(baseUrl).host;
const kubectl = (...args: string[]) => plane.kubectl(args);

/** Secret that holds the login of a deployment. */
function storeLogin({ env: { ERS_USERNAME, ERS_PASSWORD } }: ServedDeployment): void {
  kubectl('delete', 'secret', 'ers-harness-login', '--ignore-not-found');
  kubectl(
    ...['create', 'secret', 'generic', 'ers-harness-login'],
    ...[`--from-literal=username=${ERS_USERNAME}`, `--from-literal=password=${ERS_PASSWORD}`],
  );
}

/** Runs `load --cluster` on the cluster, and meanwhile what the test does. */
async function load(
  served: ServedDeployment,
  args: readonly string[],
  meanwhile: (harness: () => ChildProcess | undefined) => Promise<void> = async () => {},
): Promise<CliResult & { readonly cells: readonly CellReport[]; readonly residue: unknown }> {
  cells += 1;
  const out = join(home, `run-${cells}`);
  const [policy = ''] = served.policies;
  let harness: ChildProcess | undefined;
  const ran = runCli(
    [
      ...[
        'load',
        '--base-url',
        served.baseUrl,
        '--profile',
        '60k',
        '--endpoints',
        served.endpoints,
        '--policy',
        policy,
      ],
      ...['--cluster', join(home, `emitted-${cells}`), '--connections', '20', '--rate', '50', '--out', out],
      ...(served.caFile === undefined ? [] : ['--ca', served.caFile, '--csrf']),
      ...args,
    ],
    {
      env: { ...served.env, ...plane.env, ERS_POLL: '0.5', ERS_PATIENCE: '6', ERS_SLACK: '40' },
      onLine: (_, child) => {
        harness = child;
      },
    },
  );
  await meanwhile(() => harness);
  const result = await ran;
  if (!existsSync(join(out, 'report.json'))) throw new Error(`no report, exit code ${result.code}: ${result.stderr}`);
  const report = Report.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')));
  return { ...result, cells: report.load?.cells ?? [], residue: report.cleanup?.residue };
}

/** Endpoints that hold a policy on the deployment without TLS, by its own list. */
async function holding(): Promise<unknown> {
  const { ERS_USERNAME, ERS_PASSWORD } = plain.env;
  const login = Buffer.from(`${ERS_USERNAME}:${ERS_PASSWORD}`).toString('base64');
  const headers = { Accept: 'application/json', Authorization: `Basic ${login}` };
  const answer = await fetch(`${plain.baseUrl}/ers/config/ancendpoint?size=1`, { headers });
  return ((await answer.json()) as { SearchResult: { total: unknown } }).SearchResult.total;
}

beforeAll(async () => {
  if (missing !== undefined || 'missing' in parts || parts.kubelet === undefined) return;
  const { k6 } = await k6Bench();
  [plain, locked] = await Promise.all([
    serveCli(['--sessions', '5000']),
    serveCli(['--sessions', '5000', '--tls', '--csrf']),
  ]);
  plane = await startControlPlane(parts, join(home, 'plane'));
  stopKubelets = await startKubelets(plane, {
    ...{ program: parts.kubelet, k6: k6.path, nodes: 3, home: join(home, 'pods') },
    reach: [plain, locked].map(addressOf),
  });
  mkdirSync(join(home, 'volume'));
  plane.kubectl(['apply', '-f', '-'], namespaceManifest('load'));
  plane.kubectl(['apply', '-f', '-'], samplesVolume(join(home, 'volume')));
  await defineTestRuns(plane, parts);
}, 300_000);
afterAll(async () => {
  await plane?.stop();
  await stopKubelets();
  await Promise.all([plain, locked].map((served) => served?.close()));
  if (process.env['ERS_TEST_KEEP'] === undefined) rmSync(home, { recursive: true, force: true });
}, 60_000);

const CELL = 'ers-60k-apply-by-mac';

/** Endpoints that hold a policy from the beginning. */
const SEEDED = 6;

/** Rules that a machine with two cores may break when it also runs a control plane. */
const BUSY = ['lag', 'lag-max', 'common-start', 'k6-cpu', 'k6-cpu-max', 'no-drops', 'clock'];

function expectProven(result: Awaited<ReturnType<typeof load>>, operations: readonly string[]): void {
  expect(result.cells.map(({ operation }) => operation)).toEqual(operations);
  for (const { rules, facts } of result.cells) {
    expect(facts.fault).toBeUndefined();
    expect(rules.filter(({ id, holds }) => holds === false && !BUSY.includes(id))).toEqual([]);
    expect(facts.generator.runners).toMatchObject({ count: 2, programs: 1 });
    // Every success is found on the target: none is lost, and none has another policy.
    expect(facts.readBack.reconciliation).toMatchObject({ lost: { count: 0 }, wrongPolicy: { count: 0 } });
    expect(facts.readBack.reconciliation?.acknowledged).toBeGreaterThanOrEqual(250);
  }
}

describe.runIf(missing === undefined)('cells on the nodes of a cluster', () => {
  it('apply and clear, with a ramp-up, and every success is found on the target', async () => {
    storeLogin(plain);
    const operator = operatorOf(plane, home);
    const args = ['--operation', 'apply-by-mac', '--operation', 'clear-by-mac', '--segments', '2', '--duration', '5s'];
    const result = await load(plain, [...args, '--ramp', '3s']).finally(operator.stop);
    expectProven(result, ['apply-by-mac', 'clear-by-mac']);
  });

  it('apply over TLS with CSRF tokens', async () => {
    storeLogin(locked);
    const operator = operatorOf(plane, home);
    const args = ['--operation', 'apply-by-mac', '--segments', '2', '--duration', '5s'];
    expectProven(await load(locked, args).finally(operator.stop), ['apply-by-mac']);
  });

  const one = ['--operation', 'apply-by-mac', '--segments', '2', '--duration', '8s'];

  /** Runs a cell that something happens to; gives what came of it, and the seconds that it took. */
  async function disturbed(
    args: readonly string[],
    meanwhile?: Parameters<typeof load>[2],
    forgets: readonly number[] = [],
  ) {
    storeLogin(plain);
    const operator = operatorOf(plane, home, { forgets });
    const began = Date.now();
    const result = await load(plain, args, meanwhile).finally(operator.stop);
    expect(await holding()).toBe(SEEDED);
    return { ...result, seconds: (Date.now() - began) / 1000 };
  }

  /** Waits until the runners load, and tells the name of one. */
  async function aRunner(): Promise<string> {
    const stage = () => kubectl('get', 'testrun', CELL, '--ignore-not-found', '-o', 'jsonpath={.status.stage}');
    for (let tries = 0; stage() !== 'started'; tries += 1) {
      if (tries > 300) throw new Error(`${CELL} does not start`);
      await setTimeout(300);
    }
    await setTimeout(2000);
    const running = ['--field-selector=status.phase=Running', '-o', 'jsonpath={.items[0].metadata.name}'];
    return kubectl('get', 'pods', '-l', `runner=true,k6_cr=${CELL}`, ...running);
  }

  const left = () => kubectl('get', 'pods', '-l', `k6_cr=${CELL}`, '-o', 'name');

  it.each<[string, (pod: string) => void, RegExp]>([
    [
      'a runner is killed',
      (pod) => {
        const kill = 'kill -9 $(pgrep -u 12345 -f "^/usr/bin/k6 run .*instance_id=1" | head -n 1)';
        kubectl('exec', pod, '--', 'sh', '-c', kill);
      },
      /-1-\S+ ended with exit code 137 \(Error\)/,
    ],
    [
      'a node is drained',
      (pod) => {
        kubectl('delete', 'pod', pod, '--wait=false');
      },
      /a runner is lost|ended with exit code/,
    ],
  ])('are repeated where %s, on a target that nobody loads any more', async (_, happens, reason) => {
    const result = await disturbed(one, async () => happens(await aRunner()));
    expect(result.stderr).toMatch(reason);
    // The other runner of the first try would have taken endpoints of the second.
    expectProven(result, ['apply-by-mac']);
    expect(result.cells[0]?.facts.readBack.reconciliation).toMatchObject({ unacknowledged: { count: 0 } });
  });

  it('are stopped by Ctrl-C, and nothing of them is left', async () => {
    const result = await disturbed(one, async (harness) => {
      await aRunner();
      harness()?.kill('SIGINT');
    });
    expect(result.code).toBe(130);
    expect(result.stderr).not.toContain('may still be running');
    expect(left()).toBe('');
    expect(result.residue).toEqual([]);
  });

  it.skipIf(OPERATOR !== undefined)('end with a reason where a runner is never started', async () => {
    const { code, stderr, seconds } = await disturbed(one, undefined, [1]);
    expect(stderr).toMatch(/not finished after \d+ s: the operator says started, 2 of 2 runners are there/);
    // Twice the planned seconds and ERS_SLACK.
    expect(seconds).toBeLessThan(240);
    expect([code, left()]).toEqual([4, '']);
  });

  it('end with a reason where there are too few nodes', async () => {
    const { code, stderr } = await disturbed([...one.slice(0, 3), '4', '--duration', '8s']);
    expect(stderr).toMatch(/is not scheduled: 0\/3 nodes are available/);
    expect([code, left()]).toEqual([4, '']);
  });

  it('end with a reason where the secret is missing', async () => {
    const operator = operatorOf(plane, home);
    kubectl('delete', 'secret', 'ers-harness-login');
    const { code, stderr } = await load(plain, one).finally(operator.stop);
    expect(stderr).toMatch(/does not start: CreateContainerConfigError/);
    expect([code, left()]).toEqual([4, '']);
  });
});
