import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readBaseline } from '../../../../../cli/options/baseline/read-baseline.ts';
import { updateBaseline, updateLines } from '../../../../../cli/options/baseline/update-baseline.ts';
import { NEWEST_SET } from '../../../../../lib/contract/requirement-sets.ts';
import type { ConformanceResult } from '../../../../../lib/records/conformance.ts';
import type { Mode } from '../../../../../lib/records/vocabulary.ts';
import { judgedRun } from '../../../../helpers/a-report.ts';
import { aHeader, aResult } from '../../../../helpers/a-run.ts';
import { folderOfTests } from '../../../../helpers/folder.ts';

const folder = folderOfTests();
const file = join(folder, 'expected.yaml');
beforeEach(() => rmSync(file, { force: true }));

const eq = (family: string, overrides: Partial<ConformanceResult> = {}) =>
  aResult({
    ...{ checkId: 'filter/operator', variant: 'name.EQ', requirement: 'FOP-EQ', family, verdict: 'fail' },
    ...{ expected: 'one record', observed: '2 records' },
    difference: { missing: [], extra: ['x'] },
    failure: { kind: 'records', operation: 'list', subject: 'filter name.EQ' },
    ...overrides,
  });
const { difference: _difference, failure: _failure, ...other } = eq('sgt');
const passed = (family: string) => ({ ...other, family, verdict: 'pass' as const });

const updated = (results: readonly ConformanceResult[], options: Record<string, unknown> = {}, mode: Mode = 'full') =>
  updateBaseline(file, judgedRun({ header: aHeader({ options, mode }), results: [...results] }));

describe('updating a baseline', () => {
  it('writes one entry for a cause, whatever families and cells it shows in', () => {
    const { added } = updated([eq('sgt'), eq('node'), eq('sgt', { checkId: 'filter/relations', variant: 'EQ' })]);
    expect(added).toEqual(['FOP-EQ list records: filter name.EQ in any family']);
    const about = { requirement: 'FOP-EQ', operation: 'list', kind: 'records', subject: 'filter name.EQ' };
    const where = { check: ['filter/operator', 'filter/relations'], family: '*', line: expect.any(Number) };
    expect(readBaseline(file).entries).toEqual([{ ...about, ...where, expires: '2026-03-02' }]);
    expect(readBaseline(file).least).toEqual({ shown: 0, of: 31, undecided: 0, mode: 'full', depth: 'normal' });
    expect(readFileSync(file, 'utf8')).toContain('# For example in sgt: expected one record; observed 2 records');
  });

  it('makes no file behind a link that leads nowhere', () => {
    symlinkSync(join(folder, 'elsewhere'), file);
    expect(() => updated([eq('sgt')])).toThrow('cannot write');
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  it('keeps reasons, comments and order, and lets the entry of a cause grow', () => {
    writeFileSync(
      file,
      `# known since May
- requirement: FOP-EQ # vendor case 12
  operation: list
  kind: records
  subject: filter name.EQ
  check: filter/operator
  family: sgt
  reason: the vendor works on it
  expires: 2026-12-31
- check: paging/next
  family: sgt
  reason: another
  expires: 2026-12-31
`,
    );
    const value = { kind: 'records', operation: 'list', subject: 'filter value.EQ' } as const;
    const update = updated([eq('sgt'), eq('node', { failure: value }), passed('portal')]);
    const changed = ['FOP-EQ list records: filter name.EQ, filter value.EQ in sgt, node'];
    expect(update).toEqual({ added: [], changed, removed: [], left: ['paging/next sgt'] });
    for (const kept of ['# known since May', '# vendor case 12', 'family: [ sgt, node ]'])
      expect(readFileSync(file, 'utf8')).toContain(kept);
    expect(readBaseline(file).entries[0]?.reason).toBe('the vendor works on it');
    expect(updateLines(file, update).join('\n')).toMatch(/1 entry changed: FOP-EQ.*\n.*1 entry left as it was/);
  });

  it('takes out what passes now, and never because the run was narrowed', () => {
    updated([eq('sgt'), eq('node'), eq('sgt', { checkId: 'filter/relations', variant: 'EQ' })]);
    expect(updated([passed('sgt')], { family: ['sgt'] }).removed).toEqual([]);
    expect(updated([passed('sgt'), passed('node')], { check: ['filter/operator'] }).removed).toEqual([]);
    expect(readBaseline(file).entries).toHaveLength(1);
    const relations = { ...passed('sgt'), checkId: 'filter/relations', variant: 'EQ' };
    expect(updated([passed('sgt'), passed('node'), relations]).removed).toHaveLength(1);
    expect(readBaseline(file).entries).toEqual([]);
  });

  it('leaves what a run of less mode or depth did not test, and names the set that it judged by', () => {
    updated([eq('sgt')], { depth: 'normal', requirements: NEWEST_SET });
    const before = readFileSync(file, 'utf8');
    expect(readBaseline(file).least?.requirements).toBe(NEWEST_SET);
    expect(updated([passed('sgt')], {}, 'read-only').removed).toEqual([]);
    expect(updated([passed('sgt')], { depth: 'quick' }).removed).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(updated([passed('sgt')], { depth: 'deep' }).removed).toHaveLength(1);
  });

  const written = (first: string, last: string, second = '') => {
    const entry = (requirement: string) =>
      `- { requirement: ${requirement}, check: filter/operator, family: sgt, expires: 2026-12-31 }\n`;
    writeFileSync(file, `${first}${entry('FOP-EQ')}${second}${last}`);
    expect(updated([passed('sgt')]).removed).toHaveLength(1);
    return readFileSync(file, 'utf8');
  };
  const nextEntry = '- { check: paging/next, family: sgt, expires: 2026-12-31 }\n';
  it.each([
    ['apart from it', '# Owner: Eva. CASE-4711\n\n# its own\n', '# of the next\n', nextEntry],
    ['of the top', '# Owner: Eva. CASE-4711\n', '', nextEntry],
    ['of the only entry', '# Owner: Eva. CASE-4711\n\n# its own\n', '', ''],
    ['of the last entry', `${nextEntry}# Owner: Eva. CASE-4711\n\n# its own\n`, '', ''],
  ])('keeps the comment %s when it takes an entry out', (_, first, second, last) => {
    const text = written(first, last, second);
    expect(text).toContain('# Owner: Eva. CASE-4711\n');
    expect(text).not.toContain('its own');
    if (second !== '') expect(text).toContain('CASE-4711\n\n# of the next\n- ');
    expect(text).not.toContain('FOP-EQ');
    expect(readBaseline(file).entries).toHaveLength(last === '' && !first.startsWith('-') ? 0 : 1);
  });

  it('takes out the comments that it wrote itself, at the top of the file too', () => {
    updated([eq('sgt')]);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^# Failures.*\n\n/, ''));
    updated([passed('sgt')]);
    expect(readFileSync(file, 'utf8')).toMatch(/^# What the run showed.*\n- \{ shown.*\n$/);
    updated([passed('node')]);
    expect(readFileSync(file, 'utf8').match(/What the run showed/g)).toHaveLength(1);
  });

  it('writes an entry for each requirement of a cause, and takes out the one that was mended', () => {
    const paging = { checkId: 'paging/next', requirement: 'LST-NEXT' };
    const [filter, next] = ['FOP-EQ', 'LST-NEXT'].map((id) => `${id} list records: filter name.EQ in sgt`);
    expect(updated([eq('sgt'), eq('sgt', paging)]).added).toEqual([filter, next]);
    const mended = updated([eq('sgt'), { ...passed('sgt'), ...paging }]);
    expect(mended).toMatchObject({ removed: [next], left: [filter] });
  });

  it('changes nothing where all is as the file says', () => {
    updated([eq('sgt')]);
    const before = readFileSync(file, 'utf8');
    expect(updated([eq('sgt')])).toMatchObject({ added: [], changed: [], removed: [] });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
