import { describe, expect, it } from 'vitest';
import { DEFECTS } from '../../../reference/defects/table.ts';
import { NULL_TARGETS } from '../../../reference/null-targets/table.ts';
import { VARIATIONS } from '../../../reference/variations/table.ts';
import { type SubjectKind, subjectKey, subjectsOf, variationPairs } from '../../../selftest/subject.ts';

const full = subjectsOf({ seed: 1, pairs: 40, quick: false });
const count = (kind: SubjectKind, of = full) => of.filter((subject) => subject.kind === kind).length;

describe('the subjects of a selftest', () => {
  it('are every defect in three seeds, every variation, every null target and the pairs, each once', () => {
    expect(count('defect')).toBe(60 * 3);
    expect(DEFECTS).toHaveLength(60);
    expect(count('variation')).toBe(VARIATIONS.length);
    expect(count('null')).toBe(NULL_TARGETS.length);
    expect(count('pair')).toBe(40);
    expect([count('clean'), count('churn')]).toEqual([3, 3]);
    expect(new Set(full.map(subjectKey)).size).toBe(full.length);
  });

  it('are in a quick run a sample of each kind, the same for the same seed', () => {
    const quick = subjectsOf({ seed: 7, pairs: 2, quick: true });
    expect(quick).toEqual(subjectsOf({ seed: 7, pairs: 2, quick: true }));
    expect(quick).not.toEqual(subjectsOf({ seed: 8, pairs: 2, quick: true }).map((each) => ({ ...each, seed: 7 })));
    // The defects are looked at whole: nobody says where they show.
    expect(new Set(quick.filter(({ families }) => families !== undefined).map(({ kind }) => kind))).toEqual(
      new Set(['null', 'clean', 'variation', 'pair']),
    );
    for (const kind of ['clean', 'defect', 'variation', 'pair', 'null'] as const)
      expect(count(kind, quick)).toBeGreaterThan(0);
  });

  it('are the clean deployment and the defects asked for, where some are asked for', () => {
    const chosen = subjectsOf({ seed: 1, pairs: 40, quick: false, defects: ['M27'] });
    expect(chosen.map(subjectKey)).toEqual(['clean 1', 'defect M27 1', 'defect M27 2', 'defect M27 3']);
  });

  it('never pair two forms of one variation', () => {
    const pairs = variationPairs(10_000, 1);
    expect(pairs.length).toBeGreaterThan(300);
    expect(pairs.filter(([a, b]) => a.slice(0, 3) === b.slice(0, 3))).toEqual([]);
  });
});
