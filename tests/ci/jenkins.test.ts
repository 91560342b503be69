import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ciBench, example } from '../helpers/ci-bench.ts';
import { runProgram, type ServedDeployment } from '../helpers/cli.ts';
import { ofTests } from '../helpers/served.ts';

const bench = ofTests(ciBench);

const text = example('Jenkinsfile');

/** What its shell step comes to; the pipeline makes a failure of every code but 0, and an unstable build of 4. */
async function step(name: string, target: ServedDeployment) {
  const [, script = ''] = /sh returnStatus: true, script: '''([\s\S]*?)'''/.exec(text) ?? [];
  const cwd = bench.checkout(name, target);
  const env = { ...process.env, ...target.env, ERS_HARNESS: bench.tarball };
  return { ...(await runProgram(['sh', '-xe', '-c', script], { cwd, env })), cwd };
}

it('the pipeline for Jenkins has a shell step that passes with what the baseline expects, and fails with a new defect', async () => {
  const [green, red] = [await step('green', bench.known), await step('red', bench.broken)];
  expect([green.code, red.code], green.stderr + red.stderr).toEqual([0, 1]);
  for (const { cwd } of [green, red]) expect(existsSync(join(cwd, 'runs/conformance/junit.xml'))).toBe(true);
});
