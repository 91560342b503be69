import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runJob } from '../helpers/action-runner.ts';
import { ciBench, example } from '../helpers/ci-bench.ts';
import type { ServedDeployment } from '../helpers/cli.ts';
import { ofTests } from '../helpers/served.ts';

const bench = ofTests(ciBench);

/** The cache of the repository: it outlives a job. */
const cache = new Map<string, string>();

async function job(name: string, target: ServedDeployment) {
  const cwd = bench.checkout(name, target);
  const prefix = join(cwd, 'global');
  mkdirSync(prefix);
  const env = { ...process.env, NPM_CONFIG_PREFIX: prefix, PATH: `${join(prefix, 'bin')}:${process.env['PATH']}` };
  const vars = { ERS_HARNESS_VERSION: bench.tarball };
  const ran = await runJob(example('github.yml'), 'conformance', {
    cwd,
    env,
    vars,
    secrets: target.env,
    cache,
    runId: name,
  });
  return { ...ran, cwd };
}

describe('the workflow for GitHub, with the action of this repository', () => {
  it('is green where the deployment has what the baseline expects, and keeps the report', async () => {
    const { code, log, summary, uploaded, cwd } = await job('green', bench.known);
    expect(code, log).toBe(0);
    expect(summary).toContain('sgt');
    expect(uploaded).toEqual(['runs/conformance']);
    expect(existsSync(join(cwd, 'runs/conformance/junit.xml'))).toBe(true);
  });

  it('is red where there is a new defect, and keeps the report all the same', async () => {
    const { code, log, summary, uploaded } = await job('red', bench.broken);
    expect(code, log).toBe(1);
    expect(summary).toContain('filter/operator');
    expect(uploaded).toEqual(['runs/conformance']);
  });

  it('keeps a line for each night, and draws all of them', async () => {
    const { cwd } = await job('third', bench.known);
    const lines = readFileSync(join(cwd, 'runs/history.ndjson'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).exit)).toEqual([0, 1, 0]);
    expect(existsSync(join(cwd, 'runs/conformance/history.html'))).toBe(true);
    expect([...cache.keys()]).toEqual(['green', 'red', 'third'].map((id) => `ers-harness-history-${id}`));
  });
});
