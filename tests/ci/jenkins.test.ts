import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CiBench, ciBench, example } from '../helpers/ci-bench.ts';
import { runProgram, type ServedDeployment } from '../helpers/cli.ts';

/** What a declarative pipeline may hold, by the block it stands in. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  '': ['pipeline'],
  pipeline: ['agent', 'options', 'triggers', 'environment', 'stages', 'post'],
  stages: ['stage'],
  stage: ['steps'],
  steps: ['script', 'sh', 'junit', 'archiveArtifacts'],
  post: ['always', 'failure', 'success', 'unstable', 'cleanup'],
  always: ['sh', 'junit', 'archiveArtifacts'],
};

/** Steps and directives of a Jenkinsfile with the block each stands in; throws where quotes or braces do not match. */
function directives(text: string): (readonly [block: string, directive: string])[] {
  const code = text.replace(/\/\/.*$/gm, '').replace(/'''[\s\S]*?'''|'[^'\n]*'|"[^"\n]*"/g, "''");
  const found: (readonly [string, string])[] = [];
  const open: string[] = [];
  let last = '';
  for (const [token] of code.matchAll(/[A-Za-z_]\w*(?=[^\n{}]*)|[{}\n]/g)) {
    if (token === '{') open.push(last);
    else if (token === '}' && open.pop() === undefined) throw new Error('one brace too many is closed');
    else if (token === '\n') last = '';
    else if (/\w/.test(token) && last === '') {
      last = token;
      found.push([open.at(-1) ?? '', token]);
    }
    if (token === '{' || token === '}') last = '';
  }
  if (open.length > 0) throw new Error(`${open.join(', ')} is not closed`);
  return found;
}

let bench: CiBench;
beforeAll(async () => {
  bench = await ciBench();
});
afterAll(() => bench.close());

describe('the pipeline for Jenkins', () => {
  const text = example('Jenkinsfile');

  it('is a declarative pipeline: known blocks, each where it may stand, all closed', () => {
    const found = directives(text);
    for (const block of ['stages', 'stage', 'steps', 'script', 'post', 'always']) {
      expect(found.map(([, directive]) => directive)).toContain(block);
    }
    const wrong = found.filter(
      ([block, directive]) => ALLOWED[block] !== undefined && !ALLOWED[block].includes(directive),
    );
    expect(wrong).toEqual([]);
    expect(() => directives(text.replace(/}\s*$/, ''))).toThrow('not closed');
    expect(directives(text.replace('stages {', 'stages { steps {}'))).toContainEqual(['stages', 'steps']);
  });

  /** What its shell step comes to; the pipeline makes a failure of every code but 0, and an unstable build of 4. */
  async function step(name: string, target: ServedDeployment) {
    const [, script = ''] = /sh returnStatus: true, script: '''([\s\S]*?)'''/.exec(text) ?? [];
    const cwd = bench.checkout(name, target);
    const env = { ...process.env, ...target.env, ERS_HARNESS: bench.tarball };
    return { ...(await runProgram(['sh', '-xe', '-c', script], { cwd, env })), cwd };
  }

  it('has a shell step that passes with what the baseline expects, and fails with a new defect', async () => {
    const [green, red] = [await step('green', bench.known), await step('red', bench.broken)];
    expect([green.code, red.code], green.stderr + red.stderr).toEqual([0, 1]);
    for (const { cwd } of [green, red]) expect(existsSync(join(cwd, 'runs/conformance/junit.xml'))).toBe(true);
  });
});
