import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportIn, runCli, type ServedDeployment, serveCli } from '../helpers/cli.ts';
import { k6Bench } from '../helpers/k6-run.ts';
import { colleagueOn } from '../helpers/target-print.ts';
import { namespaceManifest, samplesVolume } from './cluster-objects.ts';
import { type ControlPlane, defineTestRuns, startControlPlane, startKubelets } from './control-plane.ts';
import { OPERATOR } from './operator.ts';
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

function storeLogin({ env: { ERS_USERNAME, ERS_PASSWORD } }: ServedDeployment): void {
  kubectl('delete', 'secret', 'ers-harness-login', '--ignore-not-found');
  kubectl(
    ...['create', 'secret', 'generic', 'ers-harness-login'],
    ...[`--from-literal=username=${ERS_USERNAME}`, `--from-literal=password=${ERS_PASSWORD}`],
  );
}

/** How a load ended, and what of its cells was there when it began to clear endpoints. */
/** Runs `load --cluster` on the cluster, and meanwhile what the test does. */
async function load(
  served: ServedDeployment,
  args: readonly string[],
  meanwhile: (harness: () => ChildProcess | undefined) => Promise<void> = async () => {},
) {
  cells += 1;
  const out = join(home, `run-${cells}`);
  const [policy = ''] = served.policies;
  let harness: ChildProcess | undefined;
  let loading = '';
  const ran = runCli(
    [
      ...['load', '--base-url', served.baseUrl, '--profile', '60k'],
      ...['--endpoints', served.endpoints, '--policy', policy],
      ...['--cluster', join(home, `emitted-${cells}`), '--connections', '20', '--rate', '50', '--out', out],
      ...(served.caFile === undefined ? [] : ['--ca', served.caFile, '--csrf']),
      ...args,
    ],
    {
      env: { ...served.env, ...plane.env, ERS_POLL: '0.5', ERS_PATIENCE: '6', ERS_SLACK: '40' },
      onLine: (line, child) => {
        harness = child;
        if (/^clearing \d/.test(line)) loading += kubectl('get', 'testruns,jobs,pods', '-o', 'name');
      },
    },
  );
  await meanwhile(() => harness);
  const result = await ran;
  if (!existsSync(join(out, 'report.json'))) throw new Error(`no report, exit code ${result.code}: ${result.stderr}`);
  const report = reportIn(out);
  return { ...result, cells: report.load?.cells ?? [], residue: report.cleanup.residue, loading, out };
}

/** Endpoints that hold a policy on the deployment without TLS, by its own list. */
const holding = () => colleagueOn(plain).holding();

/** Starts the cluster and two deployments, one of them with TLS and tokens. */
async function start(): Promise<void> {
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
}

async function stop(): Promise<void> {
  await plane?.stop();
  await stopKubelets();
  await Promise.all([plain, locked].map((served) => served?.close()));
  if (process.env['ERS_TEST_KEEP'] === undefined) rmSync(home, { recursive: true, force: true });
}

/** What the tests of cells on a cluster share. */
export const bench = {
  missing,
  home,
  start,
  stop,
  load,
  storeLogin,
  holding,
  kubectl,
  plane: () => plane,
  plain: () => plain,
  locked: () => locked,
};
