import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { verboseVersion } from '../../../../cli/commands/version.ts';
import { findK6, isAccepted, measuresWrongly } from '../../../../load/k6/binary/binary.ts';
import { folderOfTests } from '../../../helpers/folder.ts';

let root = '';

beforeEach(() => {
  root = folderOfTests();
  mkdirSync(join(root, 'tools', 'k6'), { recursive: true });
  writeFileSync(join(root, 'tools', 'k6', 'go.mod'), 'module x\n\nrequire go.k6.io/k6/v2 v2.2.0\n');
});

/** A program that answers `version` like k6 of that version. */
function aK6(folder: string, version: string, more = ''): string {
  mkdirSync(join(root, folder), { recursive: true });
  const path = join(root, folder, 'k6');
  writeFileSync(path, `#!/bin/sh\necho 'k6 v${version} (go1.26.8, linux/amd64)'\n${more}\n`);
  chmodSync(path, 0o755);
  return path;
}

const home = () => ({ HOME: root });

/** The same in the cache of the user, with the digest that a build leaves beside it. */
function aCachedK6(version: string, more?: string): string {
  const path = aK6('.cache/ers-harness/k6/2.2.0', version, more);
  writeFileSync(`${path}.sha256`, createHash('sha256').update(readFileSync(path)).digest('hex'));
  return path;
}

const find = (env: Record<string, string>) => findK6({ root, env });

describe('finding k6', () => {
  it('accepts the pinned series and later ones of its major version', () => {
    for (const version of ['2.2.0', '2.2.7', '2.3.0', '2.20.0'])
      expect(isAccepted(version, '2.2.0'), version).toBe(true);
    for (const version of ['1.2.0', '2.2.0-rc1', '2.1.9', '3.0.0']) expect(isAccepted(version, '2.2.0')).toBe(false);
  });

  it('warns of the versions that measure wrongly behind an HTTPS proxy, and of no other', () => {
    const through = (version: string, proxy?: string) => measuresWrongly(version, proxy) !== undefined;
    expect([through('2.2.0', 'https://p:1'), through('2.3.0', 'https://p:1')]).toEqual([true, false]);
    expect([through('2.2.0', 'http://p:1'), through('2.2.0')]).toEqual([false, false]);
  });

  it('takes the one that K6_PATH names, and says its digest', async () => {
    const path = aK6('named', '2.2.3');
    const found = await find({ ...home(), K6_PATH: path, PATH: '' });
    expect(found).toMatchObject({ path, version: '2.2.3' });
    expect(found.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('refuses a K6_PATH of another version instead of taking a different k6', async () => {
    aK6('bin', '2.2.0');
    const env = { ...home(), K6_PATH: aK6('old', '1.8.1'), PATH: join(root, 'bin') };
    await expect(find(env)).rejects.toMatchObject({ name: 'UsageError', code: 'k6-missing' });
  });

  it('passes over a k6 of another version on PATH', async () => {
    aK6('old', '1.8.1');
    const path = aK6('new', '2.2.1');
    expect(await find({ ...home(), PATH: `${join(root, 'old')}:${join(root, 'new')}` })).toMatchObject({ path });
  });

  it('takes the cached one before one on PATH, where it is the file that was put there', async () => {
    const cached = aCachedK6('2.2.0');
    aK6('bin', '2.2.1');
    const onWarning = (text: string) => expect.fail(text);
    expect(await findK6({ root, env: { ...home(), PATH: join(root, 'bin') }, onWarning })).toMatchObject({
      path: cached,
    });
  });

  it.each([
    ['was changed', (path: string) => appendFileSync(path, '# more\n')],
    ['has no digest', (path: string) => rmSync(`${path}.sha256`)],
    ['can be changed by others', (path: string) => chmodSync(path, 0o777)],
  ])('does not even start a cached one that %s', async (_what, spoil) => {
    const cached = aCachedK6('2.2.0', `touch '${join(root, 'started')}'`);
    spoil(cached);
    await expect(find({ ...home(), PATH: '' })).rejects.toMatchObject({ code: 'k6-missing' });
    expect([existsSync(join(root, 'started')), existsSync(cached)]).toEqual([false, false]);
  });

  it('says which file of PATH will receive the login, where its digest is not known', async () => {
    const path = aK6('bin', '2.2.1');
    const said: string[] = [];
    const env = { ...home(), PATH: join(root, 'bin') };
    const { sha256 } = await findK6({ root, env, onWarning: (text) => said.push(text) });
    expect(said).toHaveLength(1);
    for (const word of [path, sha256, 'login']) expect(said[0]).toContain(word);
  });

  it('leaves out entries of PATH that mean another folder elsewhere', async () => {
    aK6('.', '2.2.0');
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(root);
    await expect(find({ ...home(), PATH: '.::bin' })).rejects.toMatchObject({ code: 'k6-missing' });
  });

  it('asks for the version without handing over the login', async () => {
    const log = join(root, 'environment');
    const path = aK6('bin', '2.2.0', `/usr/bin/env > '${log}'`);
    vi.stubEnv('ERS_PASSWORD', 'canary');
    await find({ K6_PATH: path });
    vi.unstubAllEnvs();
    expect(readFileSync(log, 'utf8')).not.toContain('canary');
  });

  it('without k6 and without Go names the ways to get one', async () => {
    const message = expect.stringContaining('Go is not installed');
    const hint = expect.stringMatching(/install Go[\s\S]*PATH[\s\S]*K6_PATH=/);
    const missing = { name: 'UsageError', code: 'k6-missing', message, hint };
    await expect(find({ ...home(), PATH: join(root, 'nothing') })).rejects.toMatchObject(missing);
  });

  it('names k6 with its version, license and source without building one', async () => {
    const unbuilt = findK6({ root, env: { ...home(), PATH: '/usr/bin:/bin' }, build: false });
    await expect(unbuilt).rejects.toMatchObject({ code: 'k6-missing' });
    expect(await verboseVersion()).toMatch(/^k6 2\.\d+\.\d+: AGPL-3\.0-only, .*grafana\/k6\/tree\/v2\./m);
  });

  it('builds it once with Go into the cache, for all that ask at the same time', async () => {
    mkdirSync(join(root, 'go'));
    const log = join(root, 'builds');
    const script = `#!/bin/sh\necho build >> '${log}'\nenv >> '${log}'\nprintf '#!/bin/sh\\necho "k6 v2.2.0 (go1.26.8, linux/amd64)"\\n' > "$5"\nchmod 755 "$5"\n`;
    writeFileSync(join(root, 'go', 'go'), script);
    chmodSync(join(root, 'go', 'go'), 0o755);
    const said: string[] = [];
    const secrets = { GOFLAGS: '-toolexec=evil', ERS_PASSWORD: 'canary' };
    const env = { ...home(), ...secrets, PATH: `${join(root, 'go')}:/usr/bin:/bin` };
    const found = await Promise.all([1, 2].map(() => findK6({ root, env, onProgress: (text) => said.push(text) })));
    const cached = join(root, '.cache', 'ers-harness', 'k6', '2.2.0', 'k6');
    expect(found.map(({ path }) => path)).toEqual([cached, cached]);
    expect(said.filter((text) => text.startsWith('building'))).toHaveLength(1);
    const passedOn = readFileSync(log, 'utf8');
    expect(passedOn.split('\n').filter((line) => line === 'build')).toHaveLength(1);
    expect(passedOn).not.toMatch(/canary|evil/);
    expect((await find(env)).path).toBe(found[0]?.path);
  });
});
