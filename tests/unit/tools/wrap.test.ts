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
});
