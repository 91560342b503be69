import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../lib/package-root.ts';
import { PAGES, TABLES } from '../../../tools/docs-pages.ts';
import { sources } from '../architecture-sources.ts';

const read = (page: string): string => readFileSync(join(packageRoot(), page), 'utf8');
const markdownOf = (folder: string): readonly string[] =>
  readdirSync(join(packageRoot(), folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

/** Anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string): readonly string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Links of a page that lead to no file, or to no heading of one. */
function brokenIn(page: string): readonly string[] {
  return [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^(https?|mailto):/.test(link)) return [];
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(packageRoot(), file))) return [link];
    return anchor === undefined || anchorsOf(file).includes(anchor) ? [] : [link];
  });
}

describe('the pages', () => {
  it('are at most eight, each with one question, and tables apart', () => {
    expect(markdownOf('docs').toSorted()).toEqual(Object.keys(PAGES).toSorted());
    expect(Object.keys(PAGES).length).toBeLessThanOrEqual(8);
    for (const question of Object.values(PAGES)) expect(question).toMatch(/\?$/);
    expect(markdownOf('docs/tables').toSorted()).toEqual(Object.keys(TABLES).toSorted());
  });

  it.each([
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'llms.txt'],
    ...[...Object.keys(PAGES), ...Object.keys(TABLES), ...markdownOf('docs/decisions')],
  ])('%s links only to files and headings that are there', (page) => {
    expect(brokenIn(page)).toEqual([]);
  });

  it('are named in source and messages only if they are there', () => {
    const named = sources().flatMap(({ code }) =>
      [...code.matchAll(/\bdocs\/[\w./-]+\.(?:md|json)\b/g)].map(([path]) => path),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(packageRoot(), path)))).toEqual([]);
  });
});
