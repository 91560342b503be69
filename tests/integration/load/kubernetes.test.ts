import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { SCENARIO_ENV } from '../../../lib/wire/scenario.ts';
import { segmentArguments } from '../../../load/k6/command.ts';
import { collectRunners } from '../../../load/kubernetes/collect.ts';
import { type EmittedFile, kubernetesManifests } from '../../../load/kubernetes/manifests.ts';
import { TestRun } from '../../../load/kubernetes/test-run-schema.ts';
import { planLoad } from '../../../load/plan/plan.ts';
import { type AncServer, afterDelay, ancServer } from '../../helpers/anc-server.ts';
import { type K6Bench, k6Bench } from '../../helpers/k6-run.ts';

const SEGMENTS = 3;
const folder = mkdtempSync(join(tmpdir(), 'ers-kubernetes-'));
let bench: K6Bench;
let server: AncServer;
let files: readonly EmittedFile[];

beforeAll(async () => {
  bench = await k6Bench();
  server = await ancServer(afterDelay(1));
  const plan = planLoad({
    profiles: ['60k'],
    operations: ['apply-by-mac', 'clear-by-mac'],
    tier: 'quick',
    pool: readPool('02:00:00:00:00:00+9000@10.0.0.0'),
    policy: 'Quarantine',
    abort: { forbidden: 3, serverErrorShare: 1, refusedShare: 1 },
    timeoutMs: 2000,
    durationSeconds: 1,
    rampSeconds: 1,
    connections: 30,
    segments: SEGMENTS,
  });
  files = kubernetesManifests(plan, {
    baseUrl: server.baseUrl,
    insecure: false,
    csrf: false,
    segments: SEGMENTS,
    k6Version: '2.2.0',
    userAgent: 'test',
    bundle: (operation) => join(bench.outdir, `anc-${operation}.js`),
  });
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
}, 120_000);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const manifests = () => files.filter(({ name }) => name.startsWith('ers-'));

describe('the emitted manifests', () => {
  it('satisfy the published fields of a TestRun, one for each cell, and a field the operator does not know is refused', () => {
    expect(manifests().map(({ name }) => name)).toEqual(['ers-60k-apply-by-mac.yaml', 'ers-60k-clear-by-mac.yaml']);
    for (const { content } of manifests()) {
      const manifest = TestRun.parse(parse(content));
      expect(manifest.spec.parallelism).toBe(SEGMENTS);
      expect(manifest.spec.runner?.image).toBe('grafana/k6:2.2.0');
      expect(TestRun.safeParse({ ...manifest, spec: { ...manifest.spec, segments: 3 } }).success).toBe(false);
    }
  });

  it('hold no login, and scenarios that fit into a ConfigMap', () => {
    const text = files.map(({ content }) => content).join('\n');
    expect(text).not.toContain('canary');
    expect(text).toContain('secretKeyRef');
    const bundles = files.filter(({ name }) => name.endsWith('.js'));
    expect(bundles).toHaveLength(2);
    expect(bundles.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)).toBeLessThan(1_048_576);
  });

  it.runIf(spawnSync('kubectl', ['version', '--client']).status === 0)('are rendered by kubectl kustomize', () => {
    const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as { resources: string[] };
    const resources = [...kustomization.resources, ...manifests().map(({ name }) => name)];
    writeFileSync(join(folder, 'kustomization.yaml'), stringify({ ...kustomization, resources }));
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.match(/^kind: .*$/gm)?.sort()).toEqual([
      'kind: ConfigMap',
      'kind: PersistentVolumeClaim',
      'kind: TestRun',
      'kind: TestRun',
    ]);
  });
});

/** Runs k6 as the operator does in one runner pod. */
async function runner(manifest: TestRun, index: number): Promise<{ name: string; bytes: Uint8Array }> {
  const pod = `${manifest.metadata.name}-${index + 1}-x`;
  const plain = (manifest.spec.runner?.env ?? []).flatMap((one) => ('value' in one ? [[one.name, one.value]] : []));
  const args = (manifest.spec.args ?? []).map((arg) =>
    arg.replace('$(POD_NAME)', pod).replace('/samples/', `${folder}/`),
  );
  const { file } = (manifest.spec.script as { configMap: { file: string } }).configMap;
  const tags = ['--tag', `instance_id=${index + 1}`, '--tag', `testrun_name=${manifest.metadata.name}`];
  const own = ['run', '--quiet', ...segmentArguments({ index, of: SEGMENTS }), ...args, join(folder, file), ...tags];
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...Object.fromEntries(plain) };
  const child = spawn(bench.k6.path, own, { env, stdio: 'ignore' });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(0);
  const name = `${manifest.metadata.name}-${pod}.csv`;
  return { name, bytes: readFileSync(join(folder, name)) };
}

/** Arrivals of the unmeasured ramp-up, which are in no figure. */
function rampUp(manifest: TestRun): number {
  const arrivals = manifest.spec.runner?.env?.find(({ name }) => name === SCENARIO_ENV.rampArrivals);
  return arrivals !== undefined && 'value' in arrivals ? Number(arrivals.value) : 0;
}

describe('what the runners of a TestRun write', () => {
  it('adds up to every arrival of the schedule, and to nothing less', async () => {
    const manifest = TestRun.parse(parse(manifests()[0]?.content ?? ''));
    const [a, b, c] = await Promise.all([0, 1, 2].map((index) => runner(manifest, index)));
    if (a === undefined || b === undefined || c === undefined) throw new Error('a runner is missing');
    const collected = collectRunners([c, a, b], manifest);
    expect(server.bodies.length).toBeGreaterThan(collected.counts.scheduled);
    expect(Math.abs(collected.counts.scheduled - server.bodies.length + rampUp(manifest))).toBeLessThanOrEqual(3);
    expect(collected.serviceTime.count).toBe(250);
    expect(collected.failures).toEqual([]);
    expect(collected).toMatchObject({ verdict: 'invalid', profile: '60k', operation: 'apply-by-mac' });
    expect(collected.reasons.at(-1)).toMatch(/^not measured on the runners: .*k6-cpu.*read-back-done/);
    expect(collected.rules.filter(({ id }) => id === 'counts-agree' || id === 'no-failures')).toMatchObject([
      { holds: true },
      { holds: true },
    ]);
    const short = { ...b, bytes: b.bytes.subarray(0, b.bytes.length - 40) };
    for (const [given, code] of [
      [[a, c], 'segment-missing'],
      [[a, b, c, b], 'segment-doubled'],
      [[a, short, c], 'segment-cut'],
      [[a, { name: 'none', bytes: new Uint8Array() }, c], 'segment-cut'],
    ] as const) {
      expect(() => collectRunners(given, manifest)).toThrowError(expect.objectContaining({ code }));
    }
  });
});
