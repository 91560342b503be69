import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sequences } from '../../../../conformance/plans/random/draw.ts';
import { watched } from '../../../../conformance/plans/random/search.ts';
import { flat, setsOf } from '../../../../conformance/steps/step.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Family, FamilyTable } from '../../../../lib/contract/types.ts';

const TABLE: FamilyTable = FAMILIES;
const familyOf = (name: string) => TABLE[name] as Family;
const sampled = (name: string, seed: number) => fc.sample(sequences(TABLE, familyOf(name)), { seed, numRuns: 100 });
const drawn = (name: string, seed: number) => flat(sampled(name, seed).flat());

describe('the sequences that are drawn', () => {
  it('are the same for one seed, and others for another', () => {
    expect(drawn('sgt', 1)).toEqual(drawn('sgt', 1));
    expect(drawn('sgt', 1)).not.toEqual(drawn('sgt', 2));
  });

  it('use every kind of step that the family has, and no other', () => {
    const kinds = (name: string) => [...new Set(drawn(name, 1).map(({ step }) => step))].sort();
    expect(kinds('sgt')).toEqual(['bulk', 'create', 'delete', 'look', 'race', 'update', 'version', 'wrong']);
    expect(kinds('node')).toEqual(['look', 'version']);
    expect(kinds('sxpvpns')).not.toContain('update');
    expect(kinds('ancendpoint')).toEqual(['apply', 'clear', 'look', 'version']);
    const windows = new Set(drawn('node', 1).map((step) => (step.step === 'look' ? step.look.window : step.step)));
    expect(windows).toContain('name');
  });

  it('never set a name, a member that deployments fill, or a pointer at another record', () => {
    const sets = drawn('sgtvnvlan', 1).flatMap((step) => (step.step === 'create' ? [step.set] : []));
    const members = new Set(sets.flatMap((each) => Object.keys(each)));
    expect(members.has('name')).toBe(false);
    expect(members.has('sgtId')).toBe(false);
    expect(members.has('description')).toBe(true);
  });

  it('give each record a label of its own, and each number once', () => {
    for (const steps of sampled('sgt', 3).map(flat)) {
      const labels = steps.flatMap((step) =>
        step.step === 'create' ? [step.as] : step.step === 'bulk' && step.action === 'create' ? step.who : [],
      );
      expect(new Set(labels).size).toBe(labels.length);
      const numbers = steps
        .flatMap(setsOf)
        .flatMap(({ set: { value } }) => (typeof value === 'number' && value !== -1 ? [value] : []));
      expect(new Set(numbers).size).toBe(numbers.length);
    }
  });
});

describe('the looks that follow the steps', () => {
  const sent = (name: string, isFull: boolean) =>
    sampled(name, 1).map((steps) => watched(familyOf(name), steps, isFull));

  it('end with a look at everything that the sequence made', () => {
    const [all = []] = sent('sgt', true);
    const on = all.map(({ step }) => (step.step === 'look' && step.look.window === 'list' ? step.look.on : ''));
    expect(on.slice(-2)).toEqual(['own', 'view']);
  });

  it('belong to the step that they follow, and leave out what the mode forbids', () => {
    for (const all of sent('sgt', false)) {
      expect(all.some(({ step }) => step.step === 'bulk')).toBe(false);
      const numbers = all.map(({ of }) => of);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
    const looks = sent('ancendpoint', true).flatMap((all) => all.map(({ step }) => step.step === 'look' && step.look));
    expect(looks.some((look) => look && look.window === 'endpoints')).toBe(true);
  });
});
