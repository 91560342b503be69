import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readBaseline } from '../../../../../cli/options/baseline/read-baseline.ts';
import { updateBaseline, updateLines } from '../../../../../cli/options/baseline/update-baseline.ts';
import { NEWEST_SET } from '../../../../../lib/contract/requirement-sets.ts';
import { UsageError } from '../../../../../lib/errors.ts';
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
  it('writes one entry for a cause, whatever families and cells it shows in, and nothing where all is as the file says', () => {
    const results = [eq('sgt'), eq('node'), eq('sgt', { checkId: 'filter/relations', variant: 'EQ' })];
    expect(updated(results).added).toEqual(['FOP-EQ list records: filter name.EQ in any family']);
    const about = { requirement: 'FOP-EQ', operation: 'list', kind: 'records', subject: 'filter name.EQ' };
    const where = { check: ['filter/operator', 'filter/relations'], family: '*', line: expect.any(Number) };
    expect(readBaseline(file).entries).toEqual([{ ...about, ...where, expires: '2026-03-02' }]);
    expect(readBaseline(file).least).toEqual({ shown: 0, of: 31, undecided: 0, mode: 'full', depth: 'normal' });
    const before = readFileSync(file, 'utf8');
    expect(before).toContain('# For example in sgt: expected one record; observed 2 records');
    expect(updated(results)).toMatchObject({ added: [], changed: [], removed: [] });
    expect(readFileSync(file, 'utf8')).toBe(before);
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
    const update = updated([eq('sgt'), eq('sgt', { failure: value, variant: 'value.EQ' }), passed('portal')]);
    const changed = ['FOP-EQ list records: filter name.EQ, filter value.EQ in sgt'];
    expect(update).toEqual({ added: [], changed, removed: [], left: ['paging/next sgt'] });
    // Of another filter in another family: an entry of both would expect each filter in each of the two.
    const other = { ...value, subject: 'filter type.EQ' };
    const apart = updated([eq('sgt'), eq('node', { failure: other }), passed('portal')]);
    expect(apart).toMatchObject({ added: ['FOP-EQ list records: filter type.EQ in node'], changed: [] });
    for (const kept of ['# known since May', '# vendor case 12', 'family: sgt'])
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
});

function written(text: string): string {
  const file = join(folder, 'expected.yaml');
  writeFileSync(file, text);
  return file;
}

const GOOD = `# what we know of
- check: paging/next
  family: sgt
  variant: size 1
  reason: the vendor works on it
  owner: network team
  link: https://tickets.example/1
  expires: 2026-12-31
`;

describe('a baseline file', () => {
  it('is read, comments and dates and all', () => {
    const where = { check: 'paging/next', family: 'sgt', variant: 'size 1', line: 2 };
    const why = { reason: 'the vendor works on it', owner: 'network team', link: 'https://tickets.example/1' };
    expect(readBaseline(written(GOOD)).entries).toEqual([{ ...where, ...why, expires: '2026-12-31' }]);
  });

  it.each([
    ['a member that is no member', GOOD.replace('owner:', 'ownr:'), /line 6: ownr/],
    ['a missing member', GOOD.replace('  expires: 2026-12-31\n', ''), /line 2: expires/],
    ['a date that is none', GOOD.replace('2026-12-31', 'next year'), /line 8: expires/],
    ['something other than a list', 'check: paging/next\n', /line 1: this is not a list/],
    ['an entry twice', GOOD + GOOD, /line 10: paging\/next sgt size 1 is there twice/],
    ['a bare star', '- family: *\n', /line 1.*put what begins with a star in quotes/],
    ['a star in a list', '- check: [ *, b ]\n', /line 1.*put what begins with a star in quotes/],
    ['a class of statuses', '- family: sgt\n  answers: 4xx\n', /line 2: answers: a status such as 400/],
    ['a number for a name', '- family: 7\n  expires: 2099-01-01\n', /line 1: family: a name, or a list/],
    ['text that is no YAML', '- check: [\n', /line \d+/],
  ])('is refused for %s, with the line', (_what, text, message) => {
    expect(() => readBaseline(written(text))).toThrow(message);
  });

  it('names requirements, checks and families by name, list or pattern, and needs no reason', () => {
    const text = `- requirement: [FOP-EQ, OP-*-U]
  family: '*'
  expires: 2026-12-31
- family: sgt
  expires: 2026-12-31
- check: filter/*
  expires: 2026-12-31
`;
    expect(readBaseline(written(text)).entries).toHaveLength(3);
  });

  it.each([
    ['check', 'paging/nxt', /line 1: check: no check paging\/nxt. Did you mean paging\/next\?/],
    ['family', 'sgtt', /line 1: family: no family sgtt. Did you mean sgt\?/],
    ['requirement', 'FOP-EG', /line 1: requirement: no requirement FOP-EG. Did you mean FOP-EQ\?/],
    ['family: sgt\n  kind', 'record', /kind: no kind of difference record. Did you mean records\?/],
  ])('is refused for a misspelled %s, with the name that was meant', (member, name, message) => {
    expect(() => readBaseline(written(`- ${member}: ${name}\n  expires: 2026-12-31\n`))).toThrow(message);
  });

  it.each([
    ['that blow up by aliases', `- &a [x,x,x,x,x,x,x,x,x]\n${aliases(8)}`],
    ['nested too deep', '['.repeat(20_000)],
    ['of more than a mebibyte', `# ${'x'.repeat(1024 * 1024)}\n`],
  ])('is refused for lists %s', (_what, text) => {
    expect(() => readBaseline(written(text))).toThrow(UsageError);
  });
});

/** Lists of which each holds the one before nine times. */
function aliases(levels: number): string {
  return Array.from({ length: levels }, (_, level) => {
    const [above, own] = ['abcdefghijk'[level], 'abcdefghijk'[level + 1]];
    return `- &${own} [${Array.from({ length: 9 }, () => `*${above}`).join(',')}]`;
  }).join('\n');
}
