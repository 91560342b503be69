import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBaseline } from '../../../../../cli/options/baseline/read-baseline.ts';
import { UsageError } from '../../../../../lib/errors.ts';
import { folderOfTests } from '../../../../helpers/folder.ts';

const folder = folderOfTests();

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
