import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startReference } from '../../reference/server.ts';
import { PROGRAM } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { targetPrint } from '../helpers/target-print.ts';

const folder = folderOfTests();

/** Runs the program with an output that the disk does not take; gives its exit code. */
async function intoFull(
  args: readonly string[],
  which: 'stdout' | 'stderr' | 'both',
  env: Record<string, string> = {},
) {
  const full = openSync('/dev/full', 'w');
  const [out, err] = [which === 'stderr' ? 'ignore' : full, which === 'stdout' ? 'ignore' : full] as const;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', out, err],
    env: { ...process.env, ...env },
  });
  closeSync(full);
  return new Promise<number | null>((resolve) => child.once('exit', resolve));
}

it('what cannot be printed is no success, and no failure of the target', async () => {
  expect(await intoFull(['explain', 'sgt'], 'stdout')).toBe(70);
});

it('a run whose output the disk does not take goes on, and leaves nothing behind', async () => {
  const server = await startReference({ sessions: 50 });
  onTestFinished(server.close);
  const before = await targetPrint(server);
  const few = ['--mode', 'own-data', '--depth', 'quick', '--family', 'sxpvpns', '--out', join(folder, 'full')];
  const env = { ERS_USERNAME: server.username, ERS_PASSWORD: server.password };
  const code = await intoFull(['conformance', '--base-url', server.baseUrl, ...few], 'both', env);
  expect([code, await targetPrint(server)]).toEqual([70, before]);
});
