import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, scratchFolder, serveCli } from '../helpers/cli.ts';

const CANARY = 'canary-Pa55word-4711';

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

describe('credentials', () => {
  it('occur in no file of the run folder and in no output, plain or in base64', async () => {
    const folder = scratchFolder();
    const login = { ERS_USERNAME: 'canary-user', ERS_PASSWORD: CANARY };
    const served = await serveCli(['--sessions', '1000'], login);
    const out = join(folder.path, 'run');
    const { code, stdout, stderr } = await runCli(
      [
        'conformance',
        '--base-url',
        served.baseUrl,
        '--mode',
        'own-data',
        '--family',
        'sgt,node',
        '--json',
        '--depth',
        'quick',
        '--out',
        out,
      ],
      { env: login },
    );
    await served.close();
    expect(code).toBe(0);
    const forms = [
      CANARY,
      encodeURIComponent(CANARY),
      Buffer.from(`canary-user:${CANARY}`).toString('base64'),
      Buffer.from(CANARY).toString('base64'),
    ];
    const files = filesBelow(out);
    expect(files.length).toBeGreaterThan(5);
    for (const form of forms) {
      expect(stdout).not.toContain(form);
      expect(stderr).not.toContain(form);
      for (const file of files) expect(readFileSync(file).includes(form), `${file} holds ${form}`).toBe(false);
    }
    folder.remove();
  });
});
