import { describe, expect, it } from 'vitest';
import { asTyped, programName } from '../../../../cli/output/output.ts';

describe('the name of the program in a command that is printed', () => {
  it.each([
    ['/usr/local/bin/ers-harness', {}, 'ers-harness'],
    ['/root/.npm/_npx/1/node_modules/.bin/ers-harness', { npm_command: 'exec' }, 'npx ers-harness'],
    ['/work/a/node_modules/.bin/ers-harness', {}, 'npx ers-harness'],
    [`${process.cwd()}/dist/ers-harness.js`, { npm_command: 'exec' }, 'node dist/ers-harness.js'],
  ])('is how it was started: %s', (file, env, name) => {
    expect(programName(env, ['node', file])).toBe(name);
  });

  it('stands in place of the plain one, in commands alone', () => {
    const name = programName();
    expect(asTyped('next: ers-harness verify')).toBe(`next: ${name} verify`);
    expect(asTyped('`ers-harness config` shows ers-harness.yaml')).toBe(`\`${name} config\` shows ers-harness.yaml`);
    expect(asTyped('ers-harness verify')).toBe('ers-harness verify');
  });
});
