import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { systemClock } from '../../../lib/clock.ts';
import { packageRoot } from '../../../lib/package-root.ts';
import { openRunFolder } from '../../../lib/records/folder/writer.ts';
import { checkEmitted, clusterCells } from '../../../load/kubernetes/cluster-cell.ts';
import { kubernetesManifests } from '../../../load/kubernetes/manifests.ts';
import { planLoad } from '../../../load/plan/plan.ts';
import { runLoad } from '../../../load/run/run.ts';
import { type ReferenceServer, startReference } from '../../../reference/server.ts';
import { aClient } from '../../helpers/a-client.ts';
import { type K6Bench, k6Bench } from '../../helpers/k6-run.ts';

const home = mkdtempSync(join(tmpdir(), 'ers-cluster-'));
const folder = join(home, 'emitted');
let bench: K6Bench;
let server: ReferenceServer;

beforeAll(async () => {
  bench = await k6Bench();
  server = await startReference({ sessions: 5_000 });
}, 120_000);
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

describe('a load on the runners of a cluster', () => {
  it('is prepared, run, gathered, read back, judged and cleaned up like any other', async () => {
    const pool = readPool(server.endpoints);
    const [policy = ''] = server.policies;
    const spec = {
      profiles: ['60k'],
      operations: ['apply-by-mac'],
      tier: 'quick',
      segments: 2,
    } as const;
    const plan = planLoad(
      {
        ...spec,
        profiles: ['60k'],
        operations: [...spec.operations],
        durationSeconds: 2,
        connections: 20,
        ratePerSecond: 50,
      },
      { pool, policy },
    );
    const files = kubernetesManifests(plan, {
      ...{ baseUrl: server.baseUrl, insecure: false, csrf: false, segments: 2, k6Version: '2.2.0', userAgent: 'test' },
      bundle: (operation) => join(bench.outdir, `anc-${operation}.js`),
      scripts: join(packageRoot(), 'load', 'kubernetes', 'pod'),
    });
    mkdirSync(folder);
    for (const { name, content } of files) writeFileSync(join(folder, name), content, { mode: 0o755 });
    checkEmitted(folder, files);

    const login = { username: server.username, password: server.password };
    const { client } = aClient(server.baseUrl, {
      ...{ mode: 'full', pool, policies: [policy] },
      target: { credentials: login },
    });
    const writer = openRunFolder(join(home, 'run'));
    const lines: string[] = [];
    const result = await runLoad(plan, {
      ...{ client, clock: systemClock, writer, env: process.env, onProgress: () => undefined },
      k6: { path: 'grafana/k6:2.2.0', version: '2.2.0', sha256: '' },
      runCell: clusterCells({
        ...{ folder, runId: 'r1', k6Version: '2.2.0', say: (line) => lines.push(line) },
        env: {
          ...{
            PATH: process.env['PATH'],
            ERS_POLL: '0.2',
            KUBECTL: `node ${join(packageRoot(), 'tests/helpers/kubectl-stand-in.mjs')}`,
          },
          ...{ STAND_IN: home, STAND_IN_K6: bench.k6.path, STAND_IN_EMITTED: folder },
          ...{ ERS_USERNAME: login.username, ERS_PASSWORD: login.password },
        },
      }),
    });
    expect([result.fault, result.cleanup.residue]).toEqual([undefined, []]);
    // What a busy machine may spoil is left out; everything else has to hold.
    const busy = ['lag', 'lag-max', 'common-start', 'k6-cpu', 'k6-cpu-max', 'throttled', 'no-drops', 'clock'];
    for (const cell of result.cells) {
      expect(cell.facts.fault).toBeUndefined();
      expect(cell.rules.filter(({ id, holds }) => holds === false && !busy.includes(id))).toEqual([]);
      expect(cell.rules.filter(({ holds }) => holds === null).map(({ id }) => id)).toEqual(
        expect.arrayContaining(['collector-cpu', 'event-loop']),
      );
      expect(cell.facts.generator).toMatchObject({ exitCode: 0, runners: { count: 2, programs: 1 } });
      expect(cell.facts.readBack.proven).toBe(cell.facts.readBack.sampled);
      expect(cell.facts.readBack.sampled).toBeGreaterThanOrEqual(20);
    }
    expect(result.cells.map(({ operation }) => operation)).toEqual(['apply-by-mac']);
    expect(lines.some((line) => line.includes('finished'))).toBe(true);
    await client.close();
  }, 120_000);

  it('refuses a folder that other options emitted', () => {
    expect(() => checkEmitted(folder, [{ name: 'cells.txt', content: 'other' }])).toThrowError(
      expect.objectContaining({ code: 'cluster-differs' }),
    );
  });
});
