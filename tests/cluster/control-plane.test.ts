import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPool } from '../../lib/client/anc/pool.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { kubernetesManifests } from '../../load/kubernetes/manifests.ts';
import { runnerPods } from '../../load/kubernetes/pods.ts';
import { planLoad } from '../../load/plan/plan.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { k6Bench } from '../helpers/k6-run.ts';
import { TestRun } from '../helpers/test-run-schema.ts';
import { ended, namespaceManifest, running, samplesVolume, waitingFor } from './cluster-objects.ts';
import { type ControlPlane, defineTestRuns, eventually, nodeManifest, startControlPlane } from './control-plane.ts';
import { findParts } from './parts.ts';
import { podOf, type Role } from './runner-pod.ts';

const parts = findParts();
if ('missing' in parts) console.log(`no control plane is tested: ${parts.missing}`);
else if (parts.crds === undefined)
  console.log('the fields of a TestRun are not tested: ERS_K6_OPERATOR_CRDS names no folder');

const CELL = 'ers-60k-apply-by-mac';
const home = folderOfTests();
const folder = join(home, 'emitted');
let plane: ControlPlane;
let manifest: TestRun;

beforeAll(async () => {
  if ('missing' in parts) return;
  const bench = await k6Bench();
  const plan = planLoad(
    {
      ...{ profiles: ['60k'], operations: ['apply-by-mac'], depth: 'quick', timeoutMs: 1000 },
      ...{ durationSeconds: 1, rampSeconds: 0, connections: 20, ratePerSecond: 50, segments: 2 },
    },
    { pool: readPool('02:00:00:00:00:00+9000@10.0.0.0'), policy: 'Quarantine' },
  );
  const files = kubernetesManifests(plan, {
    ...{ baseUrl: 'http://127.0.0.1:9', insecure: false, csrf: false, k6Version: '2.2.0' },
    userAgent: 'test',
    bundle: (operation) => join(bench.outdir, `anc-${operation}.js`),
    scripts: join(packageRoot(), 'load', 'kubernetes', 'pod'),
  });
  mkdirSync(folder);
  for (const { name, content } of files) writeFileSync(join(folder, name), content, { mode: 0o755 });
  manifest = TestRun.parse(parse(readFileSync(join(folder, `${CELL}.yaml`), 'utf8')));
  plane = await startControlPlane(parts, join(home, 'plane'));
  plane.kubectl(['apply', '-f', '-'], namespaceManifest('load'));
  plane.kubectl(['apply', '-f', '-'], samplesVolume('/nowhere'));
  await defineTestRuns(plane, parts);
  plane.kubectl(['apply', '-f', '-'], nodeManifest('node-1'));
}, 300_000);
afterAll(async () => {
  await plane?.stop();
}, 60_000);

const dryRun = (text: string) => plane.kubectl(['apply', '--dry-run=server', '-f', '-'], text);

/** Says what the operator would: the stage of the cell. */
function stage(value: string): void {
  const patch = JSON.stringify({ status: { stage: value } });
  const status = 'missing' in parts || parts.crds === undefined ? [] : ['--subresource=status'];
  plane.kubectl(['patch', 'testrun', CELL, '--type=merge', '-p', patch, ...status]);
}

/** Says what a kubelet would: how the pod is. */
const report = (pod: string, status: object) =>
  plane.kubectl(['patch', 'pod', pod, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);

const PODS = [`${CELL}-1-x`, `${CELL}-2-x`] as const;

/** Runs the emitted script against the control plane, while the play says what operator and kubelet would. */
async function runCells(play: () => void | Promise<void>) {
  plane.kubectl(['delete', 'pods,testruns', '--all', '--force', '--grace-period=0']);
  const run = `r${Date.now()}`;
  const child = spawn('sh', [join(folder, 'run.sh')], {
    env: { ...plane.env, ERS_RUN: run, ERS_POLL: '0.5', ERS_PATIENCE: '4', ERS_SLACK: '12' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  await eventually(() => plane.kubectl(['get', 'testrun', CELL]));
  for (const [index] of PODS.entries()) plane.kubectl(['apply', '-f', '-'], podOf(manifest, 'runner', index));
  await play();
  // No kubelet runs the pod that files are copied with: it is told to be ready, and the copy fails at once.
  await eventually(() => report('ers-harness-reader', running('reader')));
  return { code: await closed, said, list: () => readFileSync(join(folder, run, `${CELL}.pods.json`), 'utf8') };
}

describe.runIf(!('missing' in parts))('a real control plane', () => {
  it('takes everything that is emitted, under PodSecurity restricted', () => {
    plane.kubectl(['apply', '--server-side', '-k', folder]);
    expect(dryRun(readFileSync(join(folder, 'reader.yaml'), 'utf8'))).toContain('created');
    expect(dryRun(readFileSync(join(folder, `${CELL}.yaml`), 'utf8'))).toContain('created');
    for (const role of ['initializer', 'starter', 'runner'] as const satisfies readonly Role[])
      expect(dryRun(podOf(manifest, role, 0))).toContain('created');
  });

  it('refuses the same pods without what is emitted for their security', () => {
    for (const role of ['initializer', 'starter', 'runner'] as const)
      expect(() => dryRun(podOf(manifest, role, 0, { secure: false }))).toThrow(/violates PodSecurity "restricted/);
  });

  it('binds the claim, and its runners to nodes', async () => {
    await eventually(() => {
      expect(plane.kubectl(['get', 'pvc', 'ers-harness-samples', '-o', 'jsonpath={.status.phase}'])).toBe('Bound');
    });
  });

  it('is waited for until every runner has succeeded, and the pod list says how they ended', async () => {
    const { said, list } = await runCells(() => {
      for (const pod of PODS) report(pod, ended('k6', 0));
      stage('finished');
    });
    expect(said).toContain(`${CELL}: finished`);
    expect(runnerPods(list(), CELL).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  }, 120_000);

  it.each<[string, () => void | Promise<void>, RegExp]>([
    [
      'a runner that died before the start',
      () => {
        stage('created');
        report(PODS[1], ended('k6', 255));
      },
      /-2-x ended with exit code 255 \(Error\)/,
    ],
    [
      'a runner that was killed for memory',
      () => {
        stage('started');
        report(PODS[0], running('k6'));
        report(PODS[1], ended('k6', 137, 'OOMKilled'));
      },
      /-2-x ended with exit code 137 \(OOMKilled\)/,
    ],
    [
      'a node that was drained',
      () => {
        for (const pod of PODS) report(pod, running('k6'));
        stage('started');
        plane.kubectl(['delete', 'pod', PODS[0], '--force', '--grace-period=0']);
      },
      /a runner is lost: 1 of 2 are left/,
    ],
    [
      'a runner that stays paused',
      () => {
        for (const pod of PODS) report(pod, running('k6'));
        stage('started');
      },
      /not finished after \d+ s: the operator says started, 2 of 2 runners are there/,
    ],
    [
      'a secret that is missing',
      () => {
        stage('created');
        report(PODS[0], waitingFor('k6', 'CreateContainerConfigError'));
      },
      /-1-x does not start: CreateContainerConfigError/,
    ],
    [
      // The anti-affinity is the operator's, the message is the scheduler's own.
      'too few nodes',
      () => stage('created'),
      /-[12]-x is not scheduled: 0\/1 nodes are available/,
    ],
  ])(
    '%s ends the wait with a reason, and with exit code 5, because no kubelet ends its pods',
    async (_, play, reason) => {
      const { code, said } = await runCells(play);
      expect(said).toMatch(reason);
      expect(said).toContain(`${CELL} may still load the target: pod/`);
      expect(code).toBe(5);
    },
    120_000,
  );
});
