import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sequences } from '../../../explore/draw/arbitrary.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import type { Family, FamilyTable } from '../../../lib/contract/types.ts';

const TABLE: FamilyTable = FAMILIES;
const drawn = (name: string, seed: number) =>
  fc.sample(sequences(TABLE, TABLE[name] as Family, 'name'), { seed, numRuns: 100 }).flat();

describe('the sequences that are drawn', () => {
  it('are the same for one seed, and others for another', () => {
    expect(drawn('sgt', 1)).toEqual(drawn('sgt', 1));
    expect(drawn('sgt', 1)).not.toEqual(drawn('sgt', 2));
  });

  it('use every kind of step that the family has, and no other', () => {
    const kinds = (name: string) => new Set(drawn(name, 1).map(({ kind }) => kind));
    expect([...kinds('sgt')].sort()).toEqual(
      ['create', 'delete', 'fill', 'gone', 'list', 'look', 'read', 'refuse', 'rename', 'reuse', 'update'].sort(),
    );
    expect(kinds('sxpvpns').has('update')).toBe(false);
    expect(kinds('ancendpoint').has('apply')).toBe(true);
    expect(kinds('ancendpoint').has('create')).toBe(false);
  });

  it('never set a name, a member that deployments fill, or a pointer at another record', () => {
    const values = drawn('sgtvnvlan', 1).flatMap((step) => (step.kind === 'create' ? step.values : []));
    const members = new Set(values.flatMap((each) => Object.keys(each)));
    expect(members.has('name')).toBe(false);
    expect(members.has('sgtId')).toBe(false);
    expect(members.has('description')).toBe(true);
  });
});
