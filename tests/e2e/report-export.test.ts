import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_FORMATS, type ExportedCauses, exportedCauses } from '../helpers/exported.ts';
import { ofTests } from '../helpers/served.ts';

const TARGETS = [
  ['', 'filter/operator,record/update', 2, {}],
  [', where a write needs a token', 'xml/content-type,anc/clear', 3, { serve: ['--csrf'] }],
] as const;
let all: readonly Promise<ExportedCauses>[];
// They wait far more than they compute.
beforeAll(() => {
  all = TARGETS.map(([, checks, , options]) => exportedCauses(checks, options));
});

const NUMBERED = TARGETS.map(([name, , causes], at) => [name, at, causes] as const);
describe.each(NUMBERED)('causes that are exported%s', (_, at, causes) => {
  const exported = ofTests(() => all[at] as Promise<ExportedCauses>);
  const contentOf = (format: string, name = '') => readFileSync(join(exported.folder, format, name), 'utf8');

  it('are a file each in each format, with no login in any', () => {
    const { bad, filesOf } = exported;
    for (const format of EXPORT_FORMATS) {
      const files = filesOf(format);
      expect(files).toHaveLength(causes);
      for (const name of files) {
        const content = contentOf(format, name);
        expect(content).not.toContain(bad.env['ERS_PASSWORD']);
        expect(content).not.toContain(Buffer.from(`${bad.username}:${bad.env['ERS_PASSWORD']}`).toString('base64'));
        expect(content).not.toMatch(/\[redacted\]|cookie: /i);
        expect(content).not.toContain(new URL(bad.baseUrl).host);
        expect(content.includes('nobody else may use these endpoints')).toBe(content.includes('ancendpoint/clear'));
      }
    }
  });

  // The tests of the package run the .http files. Where there is no program of Hurl, its files are read only.
  it('ask in .http and .hurl files what they ask in curl files, in order', () => {
    const { filesOf } = exported;
    for (const format of ['http', 'hurl'] as const) {
      for (const [at, name] of filesOf(format).entries()) {
        const content = contentOf(format, name);
        const asked = [...content.matchAll(/^(GET|POST|PUT|DELETE) \{\{base(?:_url)?\}\}(?!\/$)/gm)].map(
          ([, method]) => method,
        );
        const sent = [...contentOf('curl', filesOf('curl')[at]).matchAll(/^ *send (GET|POST|PUT|DELETE) /gm)].map(
          ([, method]) => method,
        );
        expect([...asked].sort()).toEqual([...sent].sort());
        const filled = new Set([...content.matchAll(/\{\{(id_\d+)\}\}/g)].map(([, id]) => id));
        for (const id of filled) expect(content).toMatch(new RegExp(`exports\\.${id} =|^variable: ${id}=`, 'm'));
        if (format === 'hurl') expect(content.match(/^HTTP (\*|201)$/gm)).toHaveLength(asked.length + 2);
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
      const { bad, sound, runAll } = exported;
      for (const { name, code, stdout, stderr } of await runAll(command, format, bad)) {
        const [expected = '?'] = /(?<=^# Expected: ).*/m.exec(contentOf(format, name)) ?? [];
        expect([name, code]).toEqual([name, 1]);
        expect(stdout + stderr).toContain(expected.slice(0, 40));
        expect(stdout + stderr).not.toContain('not set up');
      }
      for (const { name, code, stdout, stderr } of await runAll(command, format, sound))
        expect([name, code], stdout + stderr).toEqual([name, 0]);
    },
  );
});
