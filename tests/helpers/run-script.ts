import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../lib/package-root.ts';
import { folderOfTests } from './folder.ts';

/** Folder of all that is prepared here. */
const root = folderOfTests();

/** What the stand-in for kubectl answers: the stage of the TestRun, and its pods. */
export interface Cluster {
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
export function prepared({ stage, pods, refuses = 'never', stays = '', lost = '', words = '' }: Cluster) {
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
export function running(cluster: Cluster, args: readonly string[] = []) {
  const { folder, env } = prepared(cluster);
  const { status, stdout, stderr } = spawnSync('sh', [join(folder, 'run.sh'), ...args], {
    ...{ env, encoding: 'utf8', timeout: 30_000 },
  });
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
  return { status, stdout, stderr, calls: read('calls').trim().split('\n'), applied: read('applied'), folder };
}
