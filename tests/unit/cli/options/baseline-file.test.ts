import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readBaseline, writeBaseline } from '../../../../cli/options/baseline-file.ts';
import { judge } from '../../../../lib/judge/judge.ts';
import { aCell } from '../../../helpers/a-cell-report.ts';
import { aResult, aRun } from '../../../helpers/a-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'ers-harness-baseline-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(text: string): string {
  const file = join(folder, 'expected.yaml');
  writeFileSync(file, text);
  return file;
}

const GOOD = `# what we know of
- check: list/next
  family: sgt
  variant: size 1
  reason: the vendor works on it
  owner: network team
  link: https://tickets.example/1
  expires: 2026-12-31
`;

describe('a baseline file', () => {
  it('is read, comments and dates and all', () => {
    expect(readBaseline(written(GOOD)).entries).toEqual([
      {
        check: 'list/next',
        family: 'sgt',
        variant: 'size 1',
        reason: 'the vendor works on it',
        owner: 'network team',
        link: 'https://tickets.example/1',
        expires: '2026-12-31',
      },
    ]);
  });

  it.each([
    ['a member that is no member', GOOD.replace('owner:', 'ownr:'), /line 6: ownr/],
    ['a missing member', GOOD.replace('  owner: network team\n', ''), /line 2: owner/],
    ['a date that is none', GOOD.replace('2026-12-31', 'next year'), /line 8: expires/],
    ['something other than a list', 'check: list/next\n', /line 1: this is not a list/],
    ['an entry twice', GOOD + GOOD, /line 10: list\/next sgt size 1 is there twice/],
    ['text that is no YAML', '- check: [\n', /line \d+/],
  ])('is refused for %s, with the line', (_what, text, message) => {
    expect(() => readBaseline(written(text))).toThrow(message);
  });

  it('is made from the failures of a run; what it held before stays with its reason', () => {
    const file = written(GOOD.replace('sgt', 'alpha'));
    const results = ['size 1', 'size 2'].map((variant) =>
      aResult({ checkId: 'list/next', requirement: 'LST-NEXT', verdict: 'fail', variant }),
    );
    writeBaseline(
      file,
      judge(aRun({ results }), (facts) => aCell({ facts })),
    );
    expect(readBaseline(file).entries.map(({ variant, owner }) => [variant, owner])).toEqual([
      ['size 1', 'network team'],
      ['size 2', 'TODO'],
    ]);
  });
});
