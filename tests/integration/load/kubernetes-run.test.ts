import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../lib/package-root.ts';
import { folderOfTests } from '../../helpers/folder.ts';

/** Folder of all that is prepared here. */
const root = folderOfTests();

/** What the stand-in for kubectl answers: the stage of the TestRun, and its pods. */
interface Cluster {
  readonly stage: string;
  /** Name, runner, phase, waiting reason, ending, exit code, why it is not scheduled. */
  readonly pods: readonly string[];
  /** Pods of an earlier run that stay although they are deleted. */
  readonly stays?: string;
  /** Pods of the cell that stay although they are deleted. */
  readonly lost?: string;
  /** What a pod said. */
  readonly words?: string;
  /** Verb that ends with an error. */
  readonly refuses?: string;
}

/** A kubectl of a script: it notes how it is called, and answers from files. */
const KUBECTL = `#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >>calls
case "$*" in $(cat refuses)*) echo "no such kind" >&2; exit 1 ;; esac
case "$*" in
  "get testrun"*) cat stage ;;
  "get pods"*jsonpath*) cat pods ;;
  "get jobs,pods,services"*name) cat stays; if [ -e applied ]; then cat lost; fi ;;
  "logs "*--tail=20) cat words ;;
  "get pods"*json) echo '{"items":[]}' ;;
  "apply -f -") cat >>applied ;;
  "exec"*) tar -cf - --files-from /dev/null ;;
esac
`;

/** A folder with the script, two cells and a kubectl that answers so. */
function prepared({ stage, pods, refuses = 'never', stays = '', lost = '', words = '' }: Cluster) {
  const folder = mkdtempSync(join(root, 'f-'));
  cpSync(join(packageRoot(), 'load', 'kubernetes', 'pod', 'run.sh'), join(folder, 'run.sh'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('cells.txt', 'ers-a 1 2\ners-b 1 2\n');
  for (const name of ['ers-a', 'ers-b'])
    write(`${name}.yaml`, `name: ${name}\nname: ERS_RUN\nvalue: by-hand\npolicy: by-hand\n`);
  for (const [name, text] of Object.entries({
    ...{ stage, pods: `${pods.join('\n')}\n`, refuses, stays, lost, words, kubectl: KUBECTL },
  })) {
    write(name, text);
  }
  chmodSync(join(folder, 'kubectl'), 0o755);
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...{ KUBECTL: join(folder, 'kubectl'), ERS_RUN: 'r1', ERS_POLL: '0', ERS_PATIENCE: '0', ERS_SLACK: '0' },
  };
  return { folder, env };
}

/** Runs the script to its end in such a folder. */
function running(cluster: Cluster, args: readonly string[] = []) {
  const { folder, env } = prepared(cluster);
  const { status, stdout, stderr } = spawnSync('sh', [join(folder, 'run.sh'), ...args], {
    ...{ env, encoding: 'utf8', timeout: 30_000 },
  });
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
  return { status, stdout, stderr, calls: read('calls').trim().split('\n'), applied: read('applied'), folder };
}

const done = (name: string) => `${name}|true|Succeeded||Completed|0|`;
const BOTH = [done('ers-a-1-x'), done('ers-a-2-x')];
const [RUNS, WAITS, KILLED] = ['a-1|true|Running||||', 'a-2|true|Running||||', 'a-2|true|Failed||OOMKilled|137|'];
const FAILED = [
  ...['a-1|true|Failed||Error|107||2026-01-01T00:00:09Z', 'a-2|true|Failed||Error|99||2026-01-01T00:00:05Z'],
  'a-3|true|Running||||',
];

describe('the script that runs the emitted cells', () => {
  const emitted = (name: string) => `name: ${name}\nname: ERS_RUN\nvalue: r1\npolicy: by-hand\n`;

  it('runs each cell anew, in order, under the name of the run, and copies what was written', () => {
    const { status, stdout, calls, applied, folder } = running({ stage: 'finished', pods: BOTH });
    expect([status, stdout]).toEqual([0, 'r1\n']);
    expect(applied).toBe(emitted('ers-a') + emitted('ers-b'));
    const writes = calls.filter((call) => /^(delete testrun|apply -f -)/.test(call)).map((call) => call.slice(0, 20));
    expect(writes).toEqual(['delete testrun ers-a', 'apply -f -', 'delete testrun ers-b', 'apply -f -']);
    expect(existsSync(join(folder, 'r1', 'ers-b.pods.json'))).toBe(true);
    expect(calls.some((call) => call.startsWith('exec ers-harness-reader -- tar -C /samples -cf - r1'))).toBe(true);
  });

  it('runs the named cell alone, and refuses a name that is none', () => {
    expect(running({ stage: 'finished', pods: BOTH }, ['ers-b']).applied).toBe(emitted('ers-b'));
    expect(running({ stage: 'finished', pods: BOTH }, ['ers-c'])).toMatchObject({ status: 2, calls: [''] });
  });

  it.each<[string, stage: string, pods: readonly string[], RegExp, more?: Partial<Cluster>]>([
    [
      ...(['a runner that died before the start', 'created', [done('a-1'), 'a-2|true|Failed||Error|255|']] as const),
      /a-2 ended with exit code 255 \(Error\)/,
    ],
    ['a runner that was killed for memory', 'started', [RUNS, KILLED], /a-2 ended with exit code 137 \(OOMKilled\)/],
    ['a node that was drained', 'started', [RUNS], /a runner is lost: 1 of 2 are left/],
    ['a finished run with a runner gone', 'finished', [done('a-1')], /1 of 2 runners are left/],
    [
      ...(['a runner that stays paused for ever', 'started', [RUNS, WAITS]] as const),
      /not finished after 1 s: the operator says started, 2 of 2 runners are there/,
    ],
    [
      ...(['a secret that is missing', 'created', ['a-1|true|Pending|CreateContainerConfigError|||', WAITS]] as const),
      /a-1 does not start: CreateContainerConfigError/,
    ],
    [
      ...(['too few nodes', 'created', [RUNS, 'a-2|true|Pending||||0/1 nodes are available']] as const),
      /a-2 is not scheduled: 0\/1 nodes are available/,
    ],
    ['an operator that reports an error', 'error', [], /the operator reports an error/],
    [
      ...(['an initializer that was killed', 'initialization', ['ers-a-initializer-x||Failed||Error|137|']] as const),
      /ers-a-initializer-x ended with exit code 137 \(Error\)$/,
    ],
    [
      ...(['two runners that failed, which is about the first', 'started', FAILED] as const),
      /: a-2 ended with exit code 99 \(Error\): level=error msg="thresholds"$/,
      { words: 'level=error msg="thresholds"\n\n' },
    ],
    ['pods unread', 'started', BOTH, /ers-a: the pods cannot be read: no such kind$/, { refuses: 'get pods' }],
    ['a TestRun gone', '', BOTH, /ers-a: the TestRun cannot be read: no such kind$/, { refuses: 'get testrun' }],
    ['no operator at all', '', [], /the operator says nothing, 0 of 2 runners are there/],
  ])('ends with 3 and the reason, and runs no further cell, after %s', (_name, stage, pods, reason, more) => {
    const { status, stdout, stderr, applied } = running({ stage, pods, ...more });
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr.trim().split('\n').at(-1)).toMatch(reason);
    expect(applied).not.toContain('ers-b');
  });

  it.each<[string, Cluster, RegExp]>([
    [
      'an initializer that failed',
      { stage: 'error', pods: ['ers-a-initializer-x||Failed||Error|1|'], words: 'level=error msg="too slow"\n' },
      /ers-a-initializer-x ended with exit code 1 \(Error\): level=error msg="too slow"$/,
    ],
    ['a manifest that is refused', { stage: '', pods: [], refuses: 'apply -f -' }, /the manifest was refused/],
    ['refused scenarios', { stage: '', pods: [], refuses: 'apply --server-side' }, /did not take the scenarios/],
  ])('ends with 4 and the reason after %s: another try would end in the same way', (_name, cluster, reason) => {
    const { status, stderr, applied } = running(cluster);
    expect(stderr.trim().split('\n').at(-1)).toMatch(reason);
    expect([status, applied.includes('ers-b')]).toEqual([4, false]);
  });

  it('removes a cell that failed, with what is left of its runners, and keeps what they said', () => {
    const { calls, folder } = running({ stage: 'started', pods: [RUNS, KILLED] });
    // Before the operator removes them without a time to end, and they are forgotten.
    const begun = calls.indexOf('apply -f -');
    const foundAt = (words: string) => calls.findIndex((call, at) => at > begun && call.startsWith(words));
    const ends = foundAt('delete pods -l k6_cr=ers-a --grace-period=');
    expect(ends).toBeGreaterThan(0);
    expect(ends).toBeLessThan(foundAt('delete testrun ers-a'));
    const removed = calls.flatMap((call, at) => (call.startsWith('delete testrun ers-a') ? [at] : []));
    expect(removed).toHaveLength(2);
    expect(calls.findIndex((call) => call.startsWith('logs -l k6_cr=ers-a'))).toBeLessThan(removed[1] ?? 0);
    expect(existsSync(join(folder, 'r1', 'ers-a.log'))).toBe(true);
  });

  it('loads nothing while runners of before are still there', () => {
    const { status, stderr, applied } = running({ stage: 'finished', pods: BOTH, stays: 'pod/a-1\njob.batch/a-1\n' });
    expect([status, applied]).toEqual([5, '']);
    expect(stderr).toMatch(/run.sh: ers-a: what an earlier run left is still there: pod\/a-1 job.batch\/a-1\n$/);
  });

  it('begins no cell while a service of before is there, which the operator would trip over, and takes it for no runner', () => {
    const before = running({ stage: 'finished', pods: BOTH, stays: 'service/a-service-1\n' });
    expect([before.status, before.applied]).toEqual([3, '']);
    const after = running({ stage: 'error', pods: [], lost: 'service/a-service-1\n' });
    expect([after.status, after.stderr.includes('may still load')]).toEqual([3, false]);
  });

  it('ends with 5 where a runner of a failed cell cannot be removed, and names the first cause', () => {
    const { status, stderr } = running({ stage: 'started', pods: [RUNS, KILLED], lost: 'pod/a-1\n' });
    expect(stderr).toContain('ers-a may still load the target: pod/a-1\n');
    const last = stderr.trim().split('\n').at(-1);
    expect([status, last]).toEqual([5, 'run.sh: ers-a: a-2 ended with exit code 137 (OOMKilled)']);
  });

  it.each([
    ['', 143, /stopping\n$/],
    ['pod/a-1', 5, /ers-a may still load the target: pod\/a-1\n$/],
  ])('ends with 5 where a signal stops it and a runner is left, here "%s"', async (lost, code, words) => {
    const { folder, env: given } = prepared({ stage: 'started', pods: [RUNS, WAITS], lost });
    const env = { ...given, ERS_SLACK: '60', ERS_POLL: '0.1' };
    const child = spawn('sh', [join(folder, 'run.sh')], { env, detached: true });
    // As the terminal does: every process of the script gets it.
    const stop = () => process.kill(-(child.pid ?? 0), 'SIGTERM');
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (!said.includes('started') && text.includes('started')) stop();
      said += text;
    });
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect([status, said]).toEqual([code, expect.stringMatching(words)]);
  });
});
