import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { gatherRunners } from '../../../load/kubernetes/cluster-cell.ts';
import type { RunnerFile } from '../../../load/kubernetes/evidence.ts';
import { readProbe } from '../../../load/kubernetes/pods.ts';
import { cellSpecOf } from '../../../load/plan/cell-spec.ts';
import { type AncServer, afterDelay, ancServer } from '../../helpers/anc-server.ts';
import { runRunner } from '../../helpers/cluster-runner.ts';
import { emitted } from '../../helpers/emitted.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { TestRun } from '../../helpers/test-run-schema.ts';

const SEGMENTS = 3;
const folder = folderOfTests();
let server: AncServer;
let made: Awaited<ReturnType<typeof emitted>>;

beforeAll(async () => {
  server = await ancServer(afterDelay(1));
  const load = { timeoutMs: 2000, durationSeconds: 1, rampSeconds: 1, connections: 30, segments: SEGMENTS };
  made = await emitted(folder, { operations: ['apply-by-mac', 'clear-by-mac'], ...load }, { baseUrl: server.baseUrl });
}, 120_000);
afterAll(() => server.close());

const manifests = () => made.files.filter(({ name }) => name.startsWith('ers-'));

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
    const text = made.files.map(({ content }) => content).join('\n');
    expect(text).not.toContain('canary');
    expect(text).toContain('secretKeyRef');
    const bundles = made.files.filter(({ name }) => name.endsWith('.js'));
    expect(bundles).toHaveLength(2);
    expect(bundles.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)).toBeLessThan(1_048_576);
  });

  it.runIf(spawnSync('kubectl', ['version', '--client']).status === 0)('are rendered by kubectl kustomize', () => {
    const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as { resources: string[] };
    const resources = [...kustomization.resources, ...manifests().map(({ name }) => name)];
    writeFileSync(join(folder, 'kustomization.yaml'), stringify({ ...kustomization, resources }));
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const kinds = ['ConfigMap', 'ConfigMap', 'PersistentVolumeClaim', 'TestRun', 'TestRun'];
    expect(stdout.match(/(?<=^kind: ).*$/gm)?.sort()).toEqual(kinds);
  });
});

const RUN = 'by-hand';

it('what the runners of a TestRun leave adds up to every arrival of the schedule and to nothing less', async () => {
  const { plan, manifest, k6 } = made;
  const node = { folder, k6: k6.path, run: RUN };
  const ran = await Promise.all([0, 1, 2].map((index) => runRunner(manifest, index, node)));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
  const [a, b, c] = ran.map(({ rows }) => rows);
  if (a === undefined || b === undefined || c === undefined) throw new Error('a runner is missing');
  const [cell] = plan.cells;
  if (cell === undefined) throw new Error('a cell is planned');
  const sender = { baseUrl: server.baseUrl, credentials: null, csrf: false, userAgent: 'test' };
  const gathered = (files: readonly RunnerFile[]) => gatherRunners('cell', cellSpecOf(plan, cell, sender), files);
  const { counts, failures, ramp, podNames } = gathered([c, a, b]);
  expect(podNames.toSorted()).toEqual(ran.map(({ pod }) => pod));
  expect(ramp.succeeded.length + ramp.failed).toBeGreaterThan(0);
  expect(server.bodies.length).toBe(counts.started + ramp.succeeded.length + ramp.failed);
  expect(counts.scheduled).toBeGreaterThanOrEqual(750);
  expect(failures).toEqual([]);

  const probes = ran.map(({ pod, probe }) => readProbe(`${pod}.probe`, probe));
  expect(new Set(probes.map(({ k6Sha256 }) => k6Sha256))).toEqual(new Set([k6.sha256]));
  for (const probe of probes) expect(probe).toMatchObject({ exitCode: 0, swapKb: 0 });

  const short = { ...b, bytes: b.bytes.subarray(0, b.bytes.length - 40) };
  for (const [given, code] of [
    [[a, c], 'segment-missing'],
    [[a, b, c, b], 'segment-doubled'],
    [[a, short, c], 'segment-cut'],
    [[a, { name: 'killed.csv.gz', bytes: b.bytes.subarray(0, 10) }, c], 'segment-cut'],
    [[a, { name: 'none.csv', bytes: new Uint8Array() }, c], 'segment-cut'],
  ] as const) {
    expect(() => gathered(given)).toThrowError(expect.objectContaining({ code }));
  }
});
