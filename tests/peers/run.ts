// Lets a client that is not ours drive the embedded deployment, with and without CSRF, and holds our change points
// against those of Apache Otava.
// Without Python or a package index it says so and ends well: the machine is at fault, not the product.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../lib/package-root.ts';
import { serveCli } from '../helpers/cli.ts';
import { compareChangePoints } from './change-points/compare.ts';

const here = import.meta.dirname;
const venv = join(packageRoot(), '.cache', 'peers-venv');
const windows = process.platform === 'win32';
const python = join(venv, ...(windows ? ['Scripts', 'python.exe'] : ['bin', 'python']));
const clientNeeds = join(here, 'requirements.txt');
const otavaNeeds = join(here, 'change-points', 'requirements.txt');
const stamp = join(venv, 'installed.txt');
const RUN_MS = 240_000;

class Skip extends Error {}

/** Runs a command to its end; throws Skip with its last line when it cannot. */
function need(what: string, command: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: RUN_MS });
  if (status === 0) return;
  throw new Skip(`${what}: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? `exit ${status}`}`);
}

/** Makes the virtual environment with the pinned peers, once for each version of what they need. */
function prepareClient(): void {
  const wanted = [clientNeeds, otavaNeeds].map((file) => readFileSync(file, 'utf8')).join('');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  mkdirSync(dirname(venv), { recursive: true });
  need('no usable Python 3', windows ? 'python' : 'python3', ['-m', 'venv', '--clear', venv]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
  need('the client cannot be installed', python, [...pip, '-r', clientNeeds]);
  need('Apache Otava cannot be installed', python, [...pip, '--no-deps', '-r', otavaNeeds]);
  writeFileSync(stamp, wanted);
}

/** What the client counted on one deployment. */
interface Counts
  extends Readonly<Record<'methods' | 'driven' | 'passed' | 'failed' | 'checksPassed' | 'checksFailed', number>> {
  readonly mode: string;
  readonly notCalled: readonly string[];
}

/** Drives a deployment; gives the client's counts, or undefined if it ended badly. */
async function drive(flags: readonly string[]): Promise<Counts | undefined> {
  const { close, ...ready } = await serveCli(flags);
  const told = { PEER_READY: JSON.stringify(ready), PEER_CSRF: flags.length > 0 ? '1' : '0' };
  const { stdout, status } = spawnSync(python, [join(here, 'peers.py')], {
    env: { ...process.env, ...told, NO_PROXY: '*', PYTHONWARNINGS: 'ignore', PYTHONDONTWRITEBYTECODE: '1' },
    ...{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], timeout: RUN_MS },
  });
  await close();
  return status === 0 ? JSON.parse(stdout.trim().split('\n').at(-1) ?? '') : undefined;
}

/** Prints the counts of both deployments and of the change points; true if everything was driven and held. */
function report(all: readonly (Counts | undefined)[], points: { readonly words: string; readonly passed: boolean }) {
  const results = all.filter((one) => one !== undefined);
  const total = (key: 'driven' | 'passed' | 'failed' | 'checksPassed' | 'checksFailed') =>
    results.reduce((sum, result) => sum + result[key], 0);
  const lines = results.map(({ mode, methods, notCalled }) => {
    const missed = notCalled.length === 0 ? '' : `; never called: ${notCalled.join(', ')}`;
    return `${mode}: ${methods - notCalled.length} of ${methods} methods called${missed}`;
  });
  const broken = all.length - results.length;
  const missed = results.filter(({ notCalled }) => notCalled.length > 0).length;
  const failed = total('checksFailed') + broken + missed + (points.passed ? 0 : 1);
  const driven = `operations driven ${total('driven')}, passed ${total('passed')}, failed ${total('failed') + broken}`;
  const passed = total('checksPassed') + (points.passed ? 1 : 0);
  process.stdout.write(`${[...lines, points.words, driven, `${passed} passed, ${failed} failed`].join('\n')}\n`);
  return failed === 0 && total('checksPassed') > 0;
}

try {
  prepareClient();
  const isGood = report([await drive([]), await drive(['--csrf'])], compareChangePoints(python));
  process.exitCode = isGood ? 0 : 1;
} catch (fault) {
  if (!(fault instanceof Skip)) throw fault;
  process.stdout.write(`SKIPPED independent client: ${fault.message}\n0 passed, 0 failed\n`);
}
