import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../lib/package-root.ts';

const root = mkdtempSync(join(tmpdir(), 'ers-run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What the stand-in for kubectl answers: the stage of the TestRun, and its pods. */
interface Cluster {
  readonly stage: string;
  /** Name, runner, phase, waiting reason, ending, exit code, why it is not scheduled. */
  readonly pods: readonly string[];
  /** Pods that stay although the cell is removed. */
  readonly stays?: string;
  /** Verb that ends with an error. */
  readonly refuses?: string;
}

/** A kubectl of a script: it notes how it is called, and answers from files. */
const KUBECTL = `#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >>calls
case "$*" in $(cat refuses)*) exit 1 ;; esac
case "$*" in
  "get testrun"*) cat stage ;;
  "get pods"*jsonpath*) cat pods ;;
  "get pods"*name) cat stays ;;
  "get pods"*json) echo '{"items":[]}' ;;
  "apply -f -") cat >>applied ;;
  "exec"*) tar -cf - --files-from /dev/null ;;
esac
`;

function running({ stage, pods, refuses = 'never', stays = '' }: Cluster, args: readonly string[] = []) {
  const folder = mkdtempSync(join(root, 'f-'));
  cpSync(join(packageRoot(), 'load', 'kubernetes', 'pod', 'run.sh'), join(folder, 'run.sh'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('cells.txt', 'ers-a 1 2\ners-b 1 2\n');
  for (const name of ['ers-a', 'ers-b']) write(`${name}.yaml`, `name: ${name}\nvalue: by-hand\n`);
  for (const [name, text] of Object.entries({
    ...{ stage, pods: `${pods.join('\n')}\n`, refuses, stays, kubectl: KUBECTL },
  })) {
    write(name, text);
  }
  chmodSync(join(folder, 'kubectl'), 0o755);
  const { status, stdout, stderr } = spawnSync('sh', [join(folder, 'run.sh'), ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...{ KUBECTL: join(folder, 'kubectl'), ERS_RUN: 'r1', ERS_POLL: '0', ERS_PATIENCE: '0', ERS_SLACK: '0' },
    },
    encoding: 'utf8',
    timeout: 30_000,
  });
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
  return { status, stdout, stderr, calls: read('calls').trim().split('\n'), applied: read('applied'), folder };
}

const done = (name: string) => `${name}|true|Succeeded||Completed|0|`;
const BOTH = [done('ers-a-1-x'), done('ers-a-2-x')];

describe('the script that runs the emitted cells', () => {
  it('runs each cell anew, in order, under the name of the run, and copies what was written', () => {
    const { status, stdout, calls, applied, folder } = running({ stage: 'finished', pods: BOTH });
    expect([status, stdout]).toEqual([0, 'r1\n']);
    expect(applied).toBe('name: ers-a\nvalue: r1\nname: ers-b\nvalue: r1\n');
    const writes = calls.filter((call) => /^(delete testrun|apply -f -)/.test(call)).map((call) => call.slice(0, 20));
    expect(writes).toEqual(['delete testrun ers-a', 'apply -f -', 'delete testrun ers-b', 'apply -f -']);
    expect(existsSync(join(folder, 'r1', 'ers-b.pods.json'))).toBe(true);
    expect(calls.some((call) => call.startsWith('exec ers-harness-reader -- tar -C /samples -cf - r1'))).toBe(true);
  });

  it('runs the named cell alone, and refuses a name that is none', () => {
    expect(running({ stage: 'finished', pods: BOTH }, ['ers-b']).applied).toBe('name: ers-b\nvalue: r1\n');
    expect(running({ stage: 'finished', pods: BOTH }, ['ers-c'])).toMatchObject({ status: 2, calls: [''] });
  });

  it.each<[string, Cluster, RegExp]>([
    [
      'a runner that died before the start',
      { stage: 'created', pods: [done('a-1'), 'a-2|true|Failed||Error|255|'] },
      /a-2 ended with exit code 255 \(Error\)/,
    ],
    [
      'a runner that was killed for memory in mid-run',
      { stage: 'started', pods: ['a-1|true|Running||||', 'a-2|true|Failed||OOMKilled|137|'] },
      /a-2 ended with exit code 137 \(OOMKilled\)/,
    ],
    [
      'a node that was drained',
      { stage: 'started', pods: ['a-1|true|Running||||'] },
      /a runner is lost: 1 of 2 are left/,
    ],
    ['a finished run with a runner gone', { stage: 'finished', pods: [done('a-1')] }, /1 of 2 runners are left/],
    [
      'a runner that stays paused for ever',
      { stage: 'started', pods: ['a-1|true|Running||||', 'a-2|true|Running||||'] },
      /not finished after 1 s: the operator says started, 2 of 2 runners are there/,
    ],
    [
      'a secret that is missing',
      { stage: 'created', pods: ['a-1|true|Pending|CreateContainerConfigError|||', 'a-2|true|Pending||||'] },
      /a-1 does not start: CreateContainerConfigError/,
    ],
    [
      'too few nodes',
      { stage: 'created', pods: ['a-1|true|Running||||', 'a-2|true|Pending||||0/1 nodes are available'] },
      /a-2 is not scheduled: 0\/1 nodes are available/,
    ],
    ['an operator that reports an error', { stage: 'error', pods: [] }, /the operator reports an error/],
    [
      'an initializer that failed',
      { stage: 'initialization', pods: ['a-i||Failed||Error|1|'] },
      /a-i ended with exit code 1/,
    ],
    ['no operator at all', { stage: '', pods: [] }, /the operator says nothing, 0 of 2 runners are there/],
    ['a manifest that is refused', { stage: '', pods: [], refuses: 'apply -f -' }, /the manifest was refused/],
    [
      'scenarios that are refused',
      { stage: '', pods: [], refuses: 'apply --server-side' },
      /did not take the scenarios/,
    ],
  ])('ends with 3 and the reason, and runs no further cell, after %s', (_name, cluster, reason) => {
    const { status, stdout, stderr, applied } = running(cluster);
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(reason);
    expect(stderr.trim().split('\n').at(-1)).toMatch(reason);
    expect(applied).not.toContain('ers-b');
  });

  it('removes a cell that failed, with what is left of its runners, and keeps what they said', () => {
    const pods = ['a-1|true|Running||||', 'a-2|true|Failed||OOMKilled|137|'];
    const { calls, folder } = running({ stage: 'started', pods });
    const removed = calls.flatMap((call, at) => (call.startsWith('delete testrun ers-a') ? [at] : []));
    expect(removed).toHaveLength(2);
    expect(calls.findIndex((call) => call.startsWith('logs -l k6_cr=ers-a'))).toBeLessThan(removed[1] ?? 0);
    expect(existsSync(join(folder, 'r1', 'ers-a.log'))).toBe(true);
  });

  it('loads nothing while runners of before are still there', () => {
    const { status, stderr, applied } = running({ stage: 'finished', pods: BOTH, stays: 'pod/ers-a-1-x' });
    expect([status, applied]).toEqual([3, '']);
    expect(stderr).toMatch(/ers-a: what an earlier run left cannot be removed; is the k6-operator installed\?\n$/);
  });
});
