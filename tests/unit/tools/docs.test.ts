import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { packageRoot } from '../../../lib/package-root.ts';
import { generatedPages } from '../../../tools/docs.ts';
import { familyTable, fillMarkers, markdownTable, requirementsBlocks } from '../../../tools/docs-tables.ts';

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
    const { requirements: page } = requirementsBlocks(rows, decided, (id, checks) =>
      id === 'A' && checks.includes('x/z') ? ['M01', 'M02'] : [],
    );
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
