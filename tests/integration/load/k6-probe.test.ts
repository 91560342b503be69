import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../lib/package-root.ts';
import { readProbe } from '../../../load/kubernetes/pods.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const PROBE = join(packageRoot(), 'load', 'kubernetes', 'pod', 'k6-probe.sh');
const folder = folderOfTests();

/** A stand-in for k6: a script, so that each ending can be asked for. */
function standIn(name: string, body: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Runs the probe before a stand-in; sends it a signal once the stand-in says that it runs. */
async function probed(
  real: string,
  given: { args?: string[]; signal?: NodeJS.Signals; env?: Record<string, string>; script?: string } = {},
) {
  const { args = ['run', 'x'], signal, env, script = PROBE } = given;
  const file = join(folder, 'run', `${Math.random()}.probe`);
  const child = spawn('sh', [script, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ERS_REAL_K6: real, ERS_PROBE_FILE: file, POD_NAME: 'p-1', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
    if (signal !== undefined && out.includes('ready')) child.kill(signal);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, probe: existsSync(file) ? readFileSync(file, 'utf8') : '' };
}

describe('the script beside k6 in a runner pod', () => {
  it.each([
    ['exit 0', 0],
    ['exit 99', 99],
    ['exit 105', 105],
    ['kill -9 $$', 137],
  ])('ends with the exit code of k6, and says so in its record: %s', async (body, code) => {
    const { code: seen, probe } = await probed(standIn(`ends-${code}`, body));
    expect(seen).toBe(code);
    expect(probe).toMatch(new RegExp(`^end exit=${code} up=\\d+$`, 'm'));
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'forwards %s as SIGTERM and waits for the end that k6 makes of it',
    async (signal) => {
      const body = `trap 'sleep 0.2; exit 105' TERM\necho ready\nwhile :; do sleep 0.05; done`;
      const { code, probe } = await probed(standIn(signal, body), { signal });
      expect(code).toBe(105);
      expect(probe).toContain('end exit=105');
    },
  );

  it('forwards a signal that comes before it knows the process of k6', async () => {
    const script = join(folder, 'held-up.sh');
    writeFileSync(script, readFileSync(PROBE, 'utf8').replace(/^k6=\$!$/m, 'sleep 0.3; k6=$!'));
    const body = `trap 'exit 105' TERM\necho ready\nwhile :; do sleep 0.05; done`;
    const { code, probe } = await probed(standIn('early', body), { signal: 'SIGTERM', script });
    expect(readFileSync(script, 'utf8')).toContain('sleep 0.3');
    expect([code, /end exit=105/.test(probe)]).toEqual([105, true]);
  });

  it('hands arguments with blanks and quotes on as they are, and everything but a run to k6 itself', async () => {
    const echo = standIn('echo', `for a in "$@"; do echo "[$a]"; done`);
    expect((await probed(echo, { args: ['run', 'a b', `it's`, '--tag', 'x=*'] })).out).toBe(
      `[run]\n[a b]\n[it's]\n[--tag]\n[x=*]\n`,
    );
    const { out, probe } = await probed(echo, { args: ['version'] });
    expect([out, probe]).toEqual(['[version]\n', '']);
  });

  it('records the processor time, memory and digests of what runs, once a second', async () => {
    const script = join(folder, 'scenario.js');
    writeFileSync(script, 'export default function () {}\n');
    // Two seconds of a processor, however long a busy machine takes to give them.
    const loop = 'while (process.cpuUsage().user < 2e6);';
    const busy = standIn('busy', `exec ${process.execPath} -e "${loop}"`);
    const { code, probe } = await probed(busy, { args: ['run', script] });
    expect(code).toBe(0);
    const facts = readProbe('p-1.probe', probe);
    expect(facts).toMatchObject({ pod: 'p-1', exitCode: 0, swapKb: 0 });
    expect(facts.k6Sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(facts.scriptSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(facts.cores).toBeGreaterThan(0);
    expect(facts.cpuMean).toBeGreaterThan(0.02);
    expect(facts.cpuMean).toBeLessThan(1.3);
  });

  it('takes cores and throttled time from the limits of the pod', async () => {
    const group = mkdtempSync(join(folder, 'group-'));
    writeFileSync(join(group, 'cpu.max'), '150000 100000\n');
    writeFileSync(join(group, 'cpu.stat'), 'usage_usec 5\nthrottled_usec 4200\n');
    const { probe } = await probed(standIn('two', 'sleep 1.3'), { env: { ERS_CGROUP: group } });
    expect(readProbe('p', probe)).toMatchObject({ cores: 1.5, throttled: 0 });
  });

  it('does not start k6 where it cannot record', async () => {
    const env = { ERS_PROBE_FILE: '/proc/none/x.probe' };
    const { code, out } = await probed(standIn('never', 'echo started'), { env });
    expect([code, out]).toEqual([107, '']);
  });
});
