import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../lib/package-root.ts';
import { writtenPages } from '../../../tools/docs.ts';
import { wrapMarkdown } from '../../../tools/wrap.ts';

const pages = writtenPages();

describe('the docs', () => {
  it.each(pages)('%s wraps its prose at 100 columns; `npm run docs` does it', (page) => {
    const lines = readFileSync(join(packageRoot(), page), 'utf8').split('\n');
    const isLong = (line: string) => [...line].length > 100 && wrapMarkdown(line) !== line;
    const code = lines.map(
      (line, at) =>
        line.startsWith('```') || lines.slice(0, at).filter((each) => each.startsWith('```')).length % 2 === 1,
    );
    expect(lines.filter((line, at) => code[at] === false && isLong(line))).toEqual([]);
  });

  it('keep tables, code, headings and formulas as they are', () => {
    const long = 'word '.repeat(30).trim();
    const fixed = ['| ', '# ', '$$'].map((start) => `${start}${long}`).join('\n');
    expect(wrapMarkdown(`${fixed}\n\`\`\`\n${long}\n\`\`\`\n`)).toBe(`${fixed}\n\`\`\`\n${long}\n\`\`\`\n`);
  });

  it('never begin a line with what would be read as a list', () => {
    const text = `${'a'.repeat(97)} 1. b`;
    expect(wrapMarkdown(text)).toBe(`${'a'.repeat(97)} 1.\nb`);
    expect(wrapMarkdown(`- ${'a '.repeat(60).trim()}`)).toMatch(/^- (a ){48}a\n {2}(a )*a$/);
  });
});
