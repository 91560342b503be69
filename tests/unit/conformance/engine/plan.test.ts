import { describe, expect, it } from 'vitest';
import { checks } from '../../../../conformance/catalog.ts';
import { isSelected, planConformance, type Selection } from '../../../../conformance/engine/plan.ts';
import { requirements } from '../../../../lib/contract/requirements.ts';
import type { Depth } from '../../../../lib/records/vocabulary.ts';

const plan = (options: Partial<Selection> = {}) => planConformance(checks, { mode: 'full', seed: 1, ...options });

describe('the catalog of checks', () => {
  it('gives each check an id of its own, in an area', () => {
    const ids = checks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+\/[a-z0-9-]+$/);
  });

  it('depends only on checks that come before', () => {
    const seen = new Set<string>();
    for (const { id, dependsOn = [], restsOn = [] } of checks) {
      for (const needed of [...dependsOn, ...restsOn].map((name) => name.split('|')[0] ?? ''))
        expect([id, needed, seen.has(needed)]).toEqual([id, needed, true]);
      seen.add(id);
    }
  });

  it('decides every requirement that is not marked untestable', () => {
    const decided = new Set(plan().entries.map(({ requirement }) => requirement));
    const open = requirements().filter(({ id, untestable }) => untestable === undefined && !decided.has(id));
    expect(open.map(({ id }) => id)).toEqual([]);
  });

  it('decides the same requirements at every depth, with fewer questions in a quick run', () => {
    const decided = (depth: Depth) =>
      [...new Set(plan({ depth }).entries.map(({ requirement }) => requirement))].sort();
    expect(decided('quick')).toEqual(decided('normal'));
    expect(plan({ depth: 'deep' }).entries).toEqual(plan().entries);
    expect(plan({ depth: 'quick' }).entries.length).toBeLessThan(plan().entries.length);
    expect(new Set((['quick', 'normal', 'deep'] as const).map((depth) => plan({ depth }).hash)).size).toBe(3);
  });
});

describe('the plan of a run', () => {
  it('is the same for the same options, and its hash differs for others', () => {
    expect(plan().hash).toBe(plan().hash);
    for (const other of [{ seed: 2 }, { mode: 'own-data' }, { families: ['sgt'] }] as const)
      expect(plan(other).hash).not.toBe(plan().hash);
  });

  it('gives each entry a key of its own', () => {
    const keys = plan().entries.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThanOrEqual(600);
  });

  it.each([
    ['record/create', ['record/create'], true],
    ['record/create', ['record/'], true],
    ['record/create', ['record'], true],
    ['record/create', ['*/create'], true],
    ['record/create-fields', ['record/create'], false],
    ['record/create', [], true],
    ['recordxcreate', ['record.create'], false],
  ])('takes ids, areas and globs to select checks: %s by %j', (id, patterns, isTaken) => {
    expect(isSelected(id, patterns)).toBe(isTaken);
  });
});
