import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { packageRoot } from '../../../lib/package-root.ts';
import { generatedPages } from '../../../tools/docs.ts';
import { PAGES, TABLES } from '../../../tools/docs-pages.ts';
import { familyTable, fillMarkers, markdownTable, requirementsBlocks } from '../../../tools/docs-tables.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { sources } from '../architecture-sources.ts';

describe('the generated pages', () => {
  it.each([...generatedPages()])('finds %s as `npm run docs` writes it', (path, text) => {
    expect(readFileSync(join(packageRoot(), path), 'utf8')).toBe(text);
  });

  it('gives a family that is added to the table a row with no other edit', () => {
    const added = familyTable({ ...FAMILIES, gatekeeper: { ...FAMILIES.smsprovider, title: 'Gatekeeper' } });
    expect(added).toContain('| Gatekeeper | `gatekeeper` | 3.1.1 | L V | name | name, description | none |');
    expect(added.split('\n')).toHaveLength(2 + 13);
  });

  it('names the checks of a requirement, its variants included, or why there is none', () => {
    const requirement = { section: 'S', text: 't', level: 'stated' } as const;
    const rows = ['A', 'B', 'C'].map((id) => ({ ...requirement, id, ...(id === 'B' && { untestable: 'no reach' }) }));
    const decided = new Map(Object.entries({ 'x/y': new Set(['A', 'C']), 'x/z': new Set(['A']) }));
    const { requirements: page } = requirementsBlocks(rows, decided, (id) => (id === 'A' ? ['M01', 'M02'] : []));
    expect(page).toContain('| A | stated | S | t | `x/y`, `x/z` | M01 M02 |');
    expect(page).toContain('| B | stated | S | t | not testable: no reach |  |');
    expect(page).toContain('| C | stated | S | t | `x/y` |  |');
  });

  it('keeps text outside the markers and refuses a page without them', () => {
    const page = 'a\n<!-- t:start -->\nold\n<!-- t:end -->\nz';
    expect(fillMarkers(page, { t: 'new' })).toBe('a\n<!-- t:start -->\nnew\n<!-- t:end -->\nz');
    expect(() => fillMarkers(page, { other: '' })).toThrow(/missing/);
    expect(markdownTable(['h'], [['a|b']])).toBe('| h |\n|---|\n| a\\|b |');
  });
});

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
  ])('%s links only to files and headings, and names only tests, that are there', (page) => {
    expect(brokenIn(page)).toEqual([]);
    const tests = [...read(page).matchAll(/`(tests\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(tests.filter((path) => !existsSync(join(packageRoot(), path)))).toEqual([]);
  });

  it('are named in source and messages only if they are there', () => {
    const named = sources().flatMap(({ code }) =>
      [...code.matchAll(/\bdocs\/[\w./-]+\.(?:md|json)\b/g)].map(([path]) => path),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(packageRoot(), path)))).toEqual([]);
  });
});

const [clone, other] = [folderOfTests(), folderOfTests()];

it('refuses a linked node_modules, and leaves the folder behind the link as it is', () => {
  mkdirSync(join(clone, 'tools'));
  copyFileSync(join(packageRoot(), 'tools/setup.mjs'), join(clone, 'tools/setup.mjs'));
  writeFileSync(join(clone, 'package-lock.json'), '{}');
  writeFileSync(join(other, 'kept'), '');
  symlinkSync(other, join(clone, 'node_modules'));
  const { status, stderr } = spawnSync(process.execPath, [join(clone, 'tools/setup.mjs')], { encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('symbolic link') });
  expect(existsSync(join(other, 'kept'))).toBe(true);
});
