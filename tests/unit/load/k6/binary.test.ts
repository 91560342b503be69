import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findK6, isAccepted } from '../../../../load/k6/binary.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ers-k6-'));
  mkdirSync(join(root, 'tools', 'k6'), { recursive: true });
  writeFileSync(join(root, 'tools', 'k6', 'go.mod'), 'module x\n\nrequire go.k6.io/k6/v2 v2.2.0\n');
});
afterEach(() => rmSync(root, { recursive: true }));

/** A program that answers `version` like k6 of that version. */
function aK6(folder: string, version: string): string {
  mkdirSync(join(root, folder), { recursive: true });
  const path = join(root, folder, 'k6');
  writeFileSync(path, `#!/bin/sh\necho 'k6 v${version} (go1.26.8, linux/amd64)'\n`);
  chmodSync(path, 0o755);
  return path;
}

const find = (env: Record<string, string>) => findK6({ root, env });

describe('finding k6', () => {
  it('accepts the pinned series and no other', () => {
    expect(
      ['2.2.0', '2.2.7', '2.3.0', '1.2.0', '2.2.0-rc1', '2.20.0'].map((version) => isAccepted(version, '2.2.0')),
    ).toEqual([true, true, false, false, false, false]);
  });

  it('takes the one that K6_PATH names, and says its digest', async () => {
    const path = aK6('named', '2.2.3');
    const found = await find({ K6_PATH: path, PATH: '' });
    expect(found).toMatchObject({ path, version: '2.2.3' });
    expect(found.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('refuses a K6_PATH of another version instead of taking a different k6', async () => {
    aK6('bin', '2.2.0');
    const env = { K6_PATH: aK6('old', '1.8.1'), PATH: join(root, 'bin') };
    await expect(find(env)).rejects.toMatchObject({ name: 'UsageError', code: 'k6-missing' });
  });

  it('passes over a k6 of another version on PATH', async () => {
    aK6('old', '1.8.1');
    const path = aK6('new', '2.2.1');
    expect(await find({ PATH: `${join(root, 'old')}:${join(root, 'new')}` })).toMatchObject({ path });
  });

  it('takes the cached one when PATH has none', async () => {
    const path = aK6('.cache/k6/2.2.0', '2.2.0');
    expect(await find({ PATH: '' })).toMatchObject({ path, version: '2.2.0' });
  });

  it('without k6 and without Go names the ways to get one', async () => {
    const fault = await find({ PATH: join(root, 'nothing') }).catch((thrown: unknown) => thrown);
    expect(fault).toMatchObject({ name: 'UsageError', code: 'k6-missing' });
    const { message, hint } = fault as { message: string; hint: string };
    expect(message).toContain('there is no Go');
    expect(hint).toMatch(/install Go[\s\S]*PATH[\s\S]*K6_PATH=/);
  });

  it('builds it once with Go into the cache, for all that ask at the same time', async () => {
    mkdirSync(join(root, 'go'));
    const log = join(root, 'builds');
    const script = `#!/bin/sh\necho build >> '${log}'\nprintf '#!/bin/sh\\necho "k6 v2.2.0 (go1.26.8, linux/amd64)"\\n' > "$4"\nchmod 755 "$4"\n`;
    writeFileSync(join(root, 'go', 'go'), script);
    chmodSync(join(root, 'go', 'go'), 0o755);
    const said: string[] = [];
    const env = { PATH: `${join(root, 'go')}:/usr/bin:/bin` };
    const found = await Promise.all([1, 2].map(() => findK6({ root, env, onProgress: (text) => said.push(text) })));
    expect(found.map(({ path }) => path)).toEqual(Array(2).fill(join(root, '.cache', 'k6', '2.2.0', 'k6')));
    expect(said.filter((text) => text.startsWith('building'))).toHaveLength(1);
  });
});
