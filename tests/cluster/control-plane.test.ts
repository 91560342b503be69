import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emitted } from '../helpers/emitted.ts';
import { folderOfTests } from '../helpers/folder.ts';
import type { TestRun } from '../helpers/test-run-schema.ts';
import { namespaceManifest, samplesVolume } from './cluster-objects.ts';
import { type ControlPlane, defineTestRuns, nodeManifest, startControlPlane } from './control-plane.ts';
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
  const how = { timeoutMs: 1000, durationSeconds: 1, rampSeconds: 0 };
  const given = { ...how, connections: 20, ratePerSecond: 50, segments: 2 };
  ({ manifest } = await emitted(folder, given, { baseUrl: 'http://127.0.0.1:9' }));
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
    const phase = () => plane.kubectl(['get', 'pvc', 'ers-harness-samples', '-o', 'jsonpath={.status.phase}']);
    await expect.poll(phase, { timeout: 30_000 }).toBe('Bound');
  });
});
