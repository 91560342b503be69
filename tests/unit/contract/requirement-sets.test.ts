import { describe, expect, it } from 'vitest';
import { dropFamilies, registerFamilies } from '../../../lib/contract/register.ts';
import { isOutside, NEWEST_SET, REQUIREMENT_SETS } from '../../../lib/contract/requirement-sets.ts';
import { requirements } from '../../../lib/contract/requirements.ts';
import { importedFrom, SWAGGER } from '../../helpers/a-definition.ts';

describe('sets of requirements', () => {
  it('hold in the newest one exactly what the registry holds: a new requirement needs a new set', () => {
    const newest = REQUIREMENT_SETS[NEWEST_SET] ?? [];
    const now = requirements().map(({ id }) => id);
    expect(now.toSorted()).toEqual([...newest].sort());
  });

  it('hold each requirement once, and stay as they were published', () => {
    const sizes = Object.entries(REQUIREMENT_SETS).map(([name, ids]) => [name, ids.length, new Set(ids).size]);
    expect(sizes).toEqual([['2026.11', 152, 152]]);
  });

  it('leave outside what came later, and nothing of imported families or of sets that are not known', () => {
    const sets = { old: ['FOP-EQ'] };
    expect(isOutside('old', 'FOP-EQ', sets)).toBe(false);
    expect(isOutside('old', 'FOP-NEQ', sets)).toBe(true);
    expect(isOutside('old', 'OP-gadget-R', sets)).toBe(false);
    registerFamilies(importedFrom(SWAGGER).read);
    expect(requirements().map(({ id }) => id)).toContain('OP-gadget-UN');
    expect(isOutside('old', 'OP-gadget-UN', sets)).toBe(false);
    dropFamilies(['gadget']);
    expect(isOutside('older', 'FOP-NEQ', sets)).toBe(false);
    expect(isOutside(undefined, 'FOP-NEQ', sets)).toBe(false);
  });
});
