import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportedCauses } from '../helpers/exported.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { ofTests } from '../helpers/served.ts';

const programs = folderOfTests();
const at = (...path: string[]) => join(programs, ...path);

function install(command: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
}

const exported = ofTests(() => {
  install('npm', 'install', '--prefix', at(), '--no-fund', '--no-audit', '--ignore-scripts', 'httpyac@6.16.7');
  install('python3', '-m', 'venv', at('venv'));
  install(at('venv/bin/pip'), 'install', '--quiet', '--disable-pip-version-check', 'pytest==9.0.3');
  const checks = 'record/update,xml/content-type,filter/operator,anc/clear';
  return exportedCauses(checks, { serve: ['--csrf'] });
});

it.each([
  ['http', 20, () => [at('node_modules/.bin/httpyac'), 'send', '--all']],
  ['pytest', 1, () => [at('venv/bin/pytest'), '-q', '-p', 'no:cacheprovider']],
] as const)(
  'exported causes, run by the programs that they are for %s: each fails where the defect is, and passes where it is not',
  async (format, fails, command) => {
    const { bad, sound, filesOf, runAll } = exported;
    expect(filesOf(format).length).toBeGreaterThanOrEqual(4);
    for (const { name, code, stdout, stderr } of await runAll(command(), format, bad)) {
      expect([name, code], stdout + stderr).toEqual([name, fails]);
      expect(stdout).not.toContain('not set up');
    }
    for (const { name, code, stdout } of await runAll(command(), format, sound))
      expect([name, code], stdout).toEqual([name, 0]);
  },
);
