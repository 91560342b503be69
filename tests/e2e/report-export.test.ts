import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, runProgram, type ServedDeployment, scratchFolder, serveCli } from '../helpers/cli.ts';

const folder = scratchFolder();
const run = join(folder.path, 'run');
const DEFECTS = ['--defect', 'M27', '--defect', 'M10', '--defect', 'M23', '--defect', 'M54'];
const FORMATS = ['http', 'hurl', 'curl', 'pytest'] as const;
const filesOf = (format: string) =>
  readdirSync(join(folder.path, format)).filter((name) => !name.endsWith('.txt') && !name.startsWith('__'));

/** Runs each file of a format against a deployment, and gives its exit code and what it printed, by its name. */
async function ranAll(command: readonly string[], format: string, { baseUrl, env }: ServedDeployment) {
  const login = { PATH: process.env['PATH'] ?? '', ERS_BASE_URL: baseUrl, ...env };
  const ran = [];
  for (const name of filesOf(format)) {
    const { code, stdout, stderr } = await runProgram([...command, join(folder.path, format, name)], { env: login });
    ran.push({ name, code, said: stdout + stderr });
  }
  return ran;
}

describe('causes that are exported', () => {
  let bad: ServedDeployment;
  let sound: ServedDeployment;
  beforeAll(async () => {
    [bad, sound] = await Promise.all([serveCli(['--sessions', '500', ...DEFECTS]), serveCli(['--sessions', '500'])]);
    const checks = 'survey/filters,record/update,xml/content-type,anc/clear';
    const pool = ['--endpoints', bad.endpoints, '--policy', bad.policies[0] ?? ''];
    const what = ['--family', 'sgt,ancendpoint', '--mode', 'full', ...pool, '--check', checks, '--depth', 'quick'];
    await runCli(['conformance', '--base-url', bad.baseUrl, ...what, '--out', run], { env: bad.env });
    for (const format of FORMATS)
      await runCli(['report', 'export', run, '--format', format, '--out', join(folder.path, format)]);
  });
  afterAll(async () => {
    await Promise.all([bad.close(), sound.close()]);
    folder.remove();
  });

  it('are at least four files in each format, with no login in any', () => {
    for (const format of FORMATS) {
      const files = filesOf(format);
      expect(files.length).toBeGreaterThanOrEqual(4);
      expect(files.length).toBe(filesOf('curl').length);
      for (const name of files) {
        const content = readFileSync(join(folder.path, format, name), 'utf8');
        expect(content).not.toContain(bad.env['ERS_PASSWORD']);
        expect(content).not.toContain(Buffer.from(`${bad.username}:${bad.env['ERS_PASSWORD']}`).toString('base64'));
        expect(content).not.toContain('[redacted]');
        expect(content).not.toContain(new URL(bad.baseUrl).host);
      }
    }
  });

  // Their programs are not installed for the tests, so these are held to the grammar, and to what the curl file sends.
  it('ask in .http and .hurl files what they ask in curl files, in order', () => {
    for (const format of ['http', 'hurl']) {
      for (const [at, name] of filesOf(format).entries()) {
        const content = readFileSync(join(folder.path, format, name), 'utf8');
        const asCurl = readFileSync(join(folder.path, 'curl', filesOf('curl')[at] ?? ''), 'utf8');
        const asked = [...content.matchAll(/^(GET|POST|PUT|DELETE) \{\{base(?:_url)?\}\}(?!\/$)/gm)].map(
          ([, method]) => method,
        );
        const sent = [...asCurl.matchAll(/^ *send (GET|POST|PUT|DELETE) /gm)].map(([, method]) => method);
        expect([...asked].sort()).toEqual([...sent].sort());
        const filled = new Set([...content.matchAll(/\{\{(id_\d+)\}\}/g)].map(([, id]) => id));
        for (const id of filled) expect(content).toMatch(new RegExp(`exports\\.${id} =|^variable: ${id}=`, 'm'));
        if (format === 'hurl') expect(content.match(/^HTTP \*$/gm)).toHaveLength(asked.length + 2);
        if (format === 'hurl') expect(content.match(/^\[Asserts\]$/gm)?.length).toBeGreaterThanOrEqual(1);
      }
    }
  });

  it.each([
    ['curl', ['bash']],
    ['pytest', ['python3']],
  ] as const)(
    'fail as %s files for the same reason where the defect is, and pass where it is not',
    async (format, command) => {
      const reasons = filesOf(format).map((name) => {
        const [expected = ''] =
          /(?<=^# Expected: ).*/m.exec(readFileSync(join(folder.path, format, name), 'utf8')) ?? [];
        return expected.slice(0, 40);
      });
      const failed = await ranAll(command, format, bad);
      expect(failed.map(({ code }) => code)).toEqual(failed.map(() => 1));
      for (const [at, { said }] of failed.entries()) {
        expect(said).toContain(reasons[at]);
        expect(said).not.toContain('not set up');
      }
      const passed = await ranAll(command, format, sound);
      expect(passed.map(({ name, code, said }) => ({ name, code, said: code === 0 ? '' : said }))).toEqual(
        passed.map(({ name }) => ({ name, code: 0, said: '' })),
      );
    },
  );
});
