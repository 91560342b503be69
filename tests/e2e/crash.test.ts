import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { PROGRAM, reportIn, runCli, runProgram, type ServedDeployment, serveCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { colleagueOn, targetPrint } from '../helpers/target-print.ts';

const folder = folderOfTests();
const opened: ServedDeployment[] = [];
afterAll(async () => {
  await Promise.all(opened.map((served) => served.close()));
});

/** A deployment of a test, and what it lists at the start: some endpoints outside its pool hold a policy. */
async function deployment() {
  const served = await serveCli(['--sessions', '9000']);
  opened.push(served);
  return { served, before: await targetPrint(served) };
}

type On = Awaited<ReturnType<typeof deployment>>;

/** Process numbers of a process and all below it. */
function treeOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0])] as const];
      } catch {
        return [];
      }
    });
  const below = (parent: number): number[] =>
    parents.filter(([, its]) => its === parent).flatMap(([child]) => [child, ...below(child)]);
  return [pid, ...below(pid)];
}

function alive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Starts an apply cell, and kills the collector once the deployment holds some hundred endpoints. Gives the run folder. */
async function killed({ served }: On) {
  const out = join(folder, 'collector');
  const cell = ['--profile', '60k', '--operation', 'apply-by-mac', '--duration', '20s', '--out', out];
  let tree: readonly number[] = [];
  let watching = false;
  await runCli(['load', '--base-url', served.baseUrl, ...cell, ...served.pool], {
    env: served.env,
    onLine: (_line, child) => {
      if (watching) return;
      watching = true;
      const poll = setInterval(async () => {
        if ((await colleagueOn(served).holding()) < 300 || tree.length > 0) return;
        clearInterval(poll);
        tree = treeOf(child.pid ?? 0);
        child.kill('SIGKILL');
      }, 100);
      child.once('close', () => clearInterval(poll));
    },
  });
  expect(tree.length).toBeGreaterThan(1);
  return { out, tree };
}

async function neverMet(out: string): Promise<void> {
  const { code } = await runCli(['report', 'render', out]);
  expect([3, 4, 5]).toContain(code);
  const report = reportIn(out);
  expect(report.complete).toBe(false);
  expect(report.load?.verdict).not.toBe('met');
}

async function swept({ served, before }: On, out: string): Promise<void> {
  expect(await colleagueOn(served).holding()).toBeGreaterThan(200);
  const [policy = '', other = ''] = served.policies;
  const sweep = (named: string) => {
    const pool = ['--endpoints', served.endpoints, '--policy', named];
    return runCli(['sweep', '--journal', out, '--base-url', served.baseUrl, ...pool], { env: served.env });
  };
  const wrong = await sweep(other);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('the run used other policies')]);
  expect(await colleagueOn(served).holding()).toBeGreaterThan(200);
  const { code, stdout, stderr } = await sweep(policy);
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('nothing is left')]);
  expect(await targetPrint(served)).toBe(before);
}

/** Starts a program on a terminal of its own, closes the terminal once the program has said something, and waits for its end. */
const ON_TERMINAL = `
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b''
while b'apply-by-mac' not in seen:
    seen += os.read(terminal, 65536)
time.sleep(1)
os.close(terminal)
_, status = os.waitpid(pid, 0)
print(os.waitstatus_to_exitcode(status))
`;

it.concurrent('a crash in the middle of an apply wave ends k6 too, is never met, and a sweep by the journal leaves no endpoint of the pool with a policy', async () => {
  const on = await deployment();
  const { out, tree } = await killed(on);
  await expect.poll(() => tree.filter(alive), { timeout: 10_000 }).toEqual([]);
  await neverMet(out);
  await swept(on, out);
});

it.concurrent('a disk that is full is never met, and the endpoints are cleared all the same', async () => {
  const { served, before } = await deployment();
  const out = join(folder, 'full');
  // No file may grow beyond 64 KiB: the samples of this cell need more.
  const cell = ['--profile', '60k', '--operation', 'apply-by-mac', '--rate', '500', '--duration', '5s', '--out', out];
  const command = [process.execPath, PROGRAM, 'load', '--base-url', served.baseUrl, ...cell, ...served.pool];
  const child = spawn('bash', ['-c', 'trap "" XFSZ; ulimit -f 64; exec "$0" "$@"', ...command], {
    env: { ...process.env, ...served.env },
    stdio: 'ignore',
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).not.toBe(0);
  const { code: again } = await runCli(['report', 'render', out]);
  expect(again).not.toBe(0);
  const report = reportIn(out);
  expect(report.load?.verdict).not.toBe('met');
  expect(await targetPrint(served)).toBe(before);
});

it.concurrent('a load whose terminal is lost goes on to its end, and leaves a whole report', async () => {
  const { served, before } = await deployment();
  const out = join(folder, 'hangup');
  const cell = ['--profile', '60k', '--operation', 'apply-by-mac', '--rate', '50', '--duration', '4s'];
  const load = ['load', ...cell, '--connections', '10', ...served.pool, '--base-url', served.baseUrl, '--out', out];
  const { stdout, stderr } = await runProgram(['python3', '-c', ON_TERMINAL, process.execPath, PROGRAM, ...load], {
    env: { ...process.env, ...served.env },
  });
  const report = reportIn(out);
  expect(report.end?.signal, stderr).toBeUndefined();
  expect(report.load?.cells[0]?.scheduled).toBe(200);
  expect(report.cleanup.residue).toEqual([]);
  expect(Number(stdout)).toBe(report.exit.code);
  expect(await targetPrint(served)).toBe(before);
});
