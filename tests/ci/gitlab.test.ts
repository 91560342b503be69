import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ciBench, example } from '../helpers/ci-bench.ts';
import { runProgram, type ServedDeployment } from '../helpers/cli.ts';
import { ofTests } from '../helpers/served.ts';

/** Runs pipelines of GitLab without a GitLab; it needs Node 22 or later, and copies with rsync. */
const TOOLS = ['gitlab-ci-local@4.75.1', 'node@24'];

/** Stands in for rsync on machines without it: the last argument but one is copied into the last, or the files of a list. */
const COPY = `#!/usr/bin/env bash
from=\${*: -2:1} to=\${*: -1} list=.
for arg in "$@"; do case "$arg" in --files-from=*) list="-T \${arg#*=}" ;; esac; done
mkdir -p "$to" && tar -C "$from" --exclude=./.gitlab-ci-local -cf - $list | tar -C "$to" -xf -
`;

const bench = ofTests(ciBench);
let tools = '';
beforeAll(() => {
  tools = bench.folder('tools');
  writeFileSync(join(tools, 'package.json'), '{}');
  const args = ['install', ...TOOLS, '--no-fund', '--no-audit', '--prefer-offline', '--foreground-scripts'];
  const { status, stderr } = spawnSync('npm', args, { cwd: tools, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm install ended with ${status}: ${stderr}`);
  mkdirSync(join(tools, 'bin'));
  writeFileSync(join(tools, 'bin', 'rsync'), COPY);
  chmodSync(join(tools, 'bin', 'rsync'), 0o755);
});

/** Runs the conformance job in a checkout, on this machine's shell. */
async function job(name: string, target: ServedDeployment) {
  const cwd = bench.checkout(name, target);
  writeFileSync(join(cwd, '.gitlab-ci.yml'), example('gitlab.yml'));
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'a checkout');
  git('remote', 'add', 'origin', 'git@gitlab.example.com:group/project.git');
  const bin = join(tools, 'node_modules');
  const variables = { ...target.env, ERS_HARNESS: bench.tarball };
  const command = [
    join(bin, 'node', 'bin', 'node'),
    join(bin, 'gitlab-ci-local', 'dist', 'index.js'),
    '--force-shell-executor',
    ...Object.entries(variables).flatMap(([key, value]) => ['--variable', `${key}=${value}`]),
    'ers-conformance',
  ];
  const path = `${process.env['PATH']}:${join(tools, 'bin')}`;
  const ran = await runProgram(command, { cwd, env: { ...process.env, PATH: path } });
  const kept = join(cwd, '.gitlab-ci-local', 'artifacts', 'ers-conformance', 'runs', 'conformance');
  return { code: ran.code, log: ran.stdout + ran.stderr, hasReport: existsSync(join(kept, 'junit.xml')) };
}

it('the pipeline for GitLab is green for what the baseline expects, and red for what is new', async () => {
  const green = await job('green', bench.known);
  expect([green.code, green.hasReport], green.log).toEqual([0, true]);
  const red = await job('red', bench.broken);
  expect([red.code === 0, red.hasReport], red.log).toEqual([false, true]);
  expect(red.log).toMatch(/FAIL\S*\s+1\b/);
});
