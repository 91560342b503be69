// Lets a client that is not ours drive the embedded deployment, with and without CSRF, and holds our change points
// against those of Apache Otava. Plain JavaScript.
// Without Python or a package index it says so and ends well: the machine is at fault, not the product.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const venv = join(root, '.cache', 'peers-venv');
const windows = process.platform === 'win32';
const python = join(venv, ...(windows ? ['Scripts', 'python.exe'] : ['bin', 'python']));
const clientNeeds = join(here, 'requirements.txt');
const otavaNeeds = join(here, 'change-points', 'requirements.txt');
const stamp = join(venv, 'installed.txt');
const START_SECONDS = 30;
const RUN_SECONDS = 240;

class Skip extends Error {}

/** Runs a command to its end; throws Skip with its last line when it cannot. */
function need(what, command, args) {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: RUN_SECONDS * 1000 });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim().split('\n').at(-1) ?? `exit ${status}`;
  throw new Skip(`${what}: ${reason}`);
}

/** Makes the virtual environment with the pinned peers, once for each version of what they need. */
function prepareClient() {
  const wanted = [clientNeeds, otavaNeeds].map((file) => readFileSync(file, 'utf8')).join('');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  mkdirSync(dirname(venv), { recursive: true });
  need('no usable Python 3', windows ? 'python' : 'python3', ['-m', 'venv', '--clear', venv]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
  need('the client cannot be installed', python, [...pip, '-r', clientNeeds]);
  need('Apache Otava cannot be installed', python, [...pip, '--no-deps', '-r', otavaNeeds]);
  writeFileSync(stamp, wanted);
}

/** Starts the embedded deployment on a free port; resolves to the line it prints and a way to end it. */
async function startDeployment(flags) {
  const { ERS_USERNAME: _user, ERS_PASSWORD: _password, ...env } = process.env;
  const args = [join(root, 'dist', 'ers-harness.js'), 'serve', '--port', '0', '--quiet', '--tied', ...flags];
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const line = new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const late = new Promise((resolve) => setTimeout(resolve, START_SECONDS * 1000, undefined).unref());
  const ready = await Promise.race([line, ended.then(() => undefined), late]);
  const close = () => {
    child.stdin.end();
    child.kill('SIGTERM');
    return ended;
  };
  if (ready === undefined) {
    await close();
    throw new Error('the embedded deployment did not start');
  }
  return { ready, close };
}

/** Drives one deployment; resolves to the client's counts, or to undefined when it ended badly. */
function drive(ready, csrf) {
  const env = {
    ...process.env,
    PEER_READY: ready,
    PEER_CSRF: csrf ? '1' : '0',
    NO_PROXY: '*',
    PYTHONWARNINGS: 'ignore',
  };
  const { stdout, status } = spawnSync(python, [join(here, 'peers.py')], {
    env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: RUN_SECONDS * 1000,
  });
  return status === 0 ? JSON.parse(stdout.trim().split('\n').at(-1)) : undefined;
}

async function runMode(csrf) {
  const deployment = await startDeployment(csrf ? ['--csrf'] : []);
  try {
    return drive(deployment.ready, csrf);
  } finally {
    await deployment.close();
  }
}

/** Our change points beside those of Apache Otava, in words, and whether they agree. */
function compareChangePoints() {
  const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs');
  const { stdout, status } = spawnSync(process.execPath, [tsx, join(here, 'change-points', 'run.ts'), python], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: RUN_SECONDS * 1000,
  });
  if (status !== 0) return { words: 'change points: not compared', passed: false };
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

/** Prints the counts of both modes and of the change points; true when everything was driven and held. */
function report(results, points) {
  const total = (key) => results.reduce((sum, result) => sum + (result?.[key] ?? 0), 0);
  for (const result of results) {
    if (result === undefined) continue;
    const missed = result.notCalled.length === 0 ? '' : `; never called: ${result.notCalled.join(', ')}`;
    process.stdout.write(
      `${result.mode}: ${result.methods - result.notCalled.length} of ${result.methods} methods called${missed}\n`,
    );
  }
  const broken = results.filter((result) => result === undefined).length;
  const missed = results.filter((result) => (result?.notCalled.length ?? 0) > 0).length;
  const failed = total('checksFailed') + broken + missed + (points.passed ? 0 : 1);
  process.stdout.write(`${points.words}\n`);
  const driven = `operations driven ${total('driven')}, passed ${total('passed')}, failed ${total('failed') + broken}`;
  process.stdout.write(`${driven}\n${total('checksPassed') + (points.passed ? 1 : 0)} passed, ${failed} failed\n`);
  return failed === 0 && total('checksPassed') > 0;
}

try {
  prepareClient();
  process.exitCode = report([await runMode(false), await runMode(true)], compareChangePoints()) ? 0 : 1;
} catch (fault) {
  if (!(fault instanceof Skip)) throw fault;
  process.stdout.write(`SKIPPED independent client: ${fault.message}\n0 passed, 0 failed\n`);
}
