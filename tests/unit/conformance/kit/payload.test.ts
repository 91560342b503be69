import { describe, expect, it } from 'vitest';
import { creatable } from '../../../../conformance/kit/fields.ts';
import { payloadMaker } from '../../../../conformance/kit/values/payload.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { SAMPLE_OBJECTS } from '../../../../lib/contract/samples.ts';
import { type Family, type FamilyTable, fieldsOf } from '../../../../lib/contract/types.ts';
import { isObject } from '../../../../lib/wire/answer.ts';

const references = {
  next: (_: string, by?: 'name') => (by === 'name' ? 'parent' : 'parent-id'),
  leaveOut: () => undefined,
};

const maker = (index = 0, seed = 1) =>
  payloadMaker({ table: FAMILIES, prefix: 'cfm-test-', seed, index, of: 12, references });

describe('create payloads', () => {
  it('carry only fields that a create of the family takes, and never an id', () => {
    for (const name of creatable(FAMILIES)) {
      const fields = fieldsOf((FAMILIES as FamilyTable)[name] as Family);
      const isTaken = (member: string) => member in fields && fields[member]?.sentOn === undefined;
      expect(Object.keys(maker()(name)).filter((member) => member === 'id' || !isTaken(member))).toEqual([]);
    }
  });

  it('point at another record by its id, or by its name if the member holds that', () => {
    const { sgtvnvlan } = FAMILIES;
    const byName = { ...fieldsOf(sgtvnvlan), sgtId: { ...fieldsOf(sgtvnvlan)['sgtId'], refersBy: 'name' } };
    const table = { ...FAMILIES, sgtvnvlan: { ...sgtvnvlan, fields: byName } } as unknown as FamilyTable;
    const make = payloadMaker({ table, prefix: 'cfm-test-', seed: 1, index: 0, of: 12, references });
    expect(maker()('sgtvnvlan')['sgtId']).toBe('parent-id');
    expect(make('sgtvnvlan')['sgtId']).toBe('parent');
  });

  it('name every record with the prefix of the run, each differently', () => {
    const make = maker();
    const names = Array.from({ length: 50 }, () => String(make('sgt')['name']));
    expect(new Set(names).size).toBe(50);
    for (const name of names) expect(name).toMatch(/^cfm-test-[a-z0-9]+$/);
    expect(String(make('sxpvpns')['sxpVpnName'])).toMatch(/^cfm-test-/);
  });

  it('give numbers within the range that no other maker of the run gives', () => {
    const makers = Array.from({ length: 12 }, (_, index) => maker(index));
    const values = makers.flatMap((make) => Array.from({ length: 200 }, () => Number(make('sgt')['value'])));
    expect(new Set(values).size).toBe(values.length);
    for (const value of values) expect(value >= 2 && value <= 65519).toBe(true);
  });
});

it('gives the lists of words inside of two samples no word in common, so that an update which adds to one shows', () => {
  const wordsIn = (value: unknown): readonly string[] =>
    typeof value === 'string' ? [value] : Array.isArray(value) ? value.flatMap(wordsIn) : [];
  const listsIn = (value: unknown): readonly string[] =>
    Array.isArray(value) ? wordsIn(value) : isObject(value) ? Object.values(value).flatMap(listsIn) : [];
  const [one, other] = (SAMPLE_OBJECTS['settings'] ?? []).map(listsIn);
  expect(one?.length).toBeGreaterThan(0);
  expect(other?.filter((word) => one?.includes(word))).toEqual([]);
});
