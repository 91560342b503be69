import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workflowText } from '../../../../cli/output/init-files.ts';
import { type JobResult, runJob } from '../../../helpers/action-runner.ts';
import { folderOfTests } from '../../../helpers/folder.ts';

const folder = folderOfTests();

/** Stands for the program: adds the line of a night to its history, leaves a summary, and ends as the night is told to end. */
const PROGRAM = `#!/bin/bash
if [ "$1" = history ]; then touch "$4/history.html"; exit 0; fi
while [ $# -gt 0 ]; do
  case "$1" in --history) history=$2; shift ;; --out) out=$2; shift ;; esac
  shift
done
mkdir -p "$out" "$(dirname "$history")"
echo "night $NIGHT" > "$out/summary.md"
echo "$NIGHT $EXIT $ERS_USERNAME" >> "$history"
exit "$EXIT"
`;

function program(name: string, text: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), text);
  chmodSync(join(bin, name), 0o755);
  return bin;
}

describe('the workflow that init writes', () => {
  const workflow = workflowText({
    ...{ name: 'lab', baseUrl: 'https://policy.example.com:9060', reached: {}, found: [] },
    version: '0.1.0',
  });

  it('keeps all of three nights, two of them bad, each on a machine of its own', async () => {
    const bin = program('npm', '#!/bin/bash\nexit 0\n');
    program('ers-harness', PROGRAM);
    const cache = new Map<string, string>();
    const nights: JobResult[] = [];
    for (const [at, exit] of ['0', '1', '4'].entries()) {
      const cwd = join(folder, `night-${at}`);
      mkdirSync(cwd);
      const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, NIGHT: String(at), EXIT: exit };
      const secrets = { ERS_USERNAME: 'reader', ERS_PASSWORD: 'secret' };
      nights.push(await runJob(workflow, 'conformance', { cwd, env, vars: {}, secrets, cache, runId: String(at) }));
      expect(existsSync(join(cwd, 'runs/ers-harness/history.html'))).toBe(true);
    }
    const ends = nights.map(({ code, summary }) => `${code} ${summary.trim()}`);
    expect(ends).toEqual(['0 night 0', '1 night 1', '4 night 2']);
    const history = readFileSync(join(folder, 'night-2/runs/history.ndjson'), 'utf8');
    expect(history.trim().split('\n')).toEqual(['0 0 reader', '1 1 reader', '2 4 reader']);
  });

  it('leaves the steps to the action, so that there is one recipe', () => {
    expect(workflow.match(/uses: /g)).toHaveLength(3);
    expect(workflow).not.toContain('run:');
  });
});
