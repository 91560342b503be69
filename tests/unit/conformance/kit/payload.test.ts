import { describe, expect, it } from 'vitest';
import type { CheckContext, Fixture } from '../../../../conformance/kit/check.ts';
import { creatable } from '../../../../conformance/kit/fields.ts';
import { freeText } from '../../../../conformance/kit/record/record-reads.ts';
import { deviationsOf, listSchema } from '../../../../conformance/kit/schemas.ts';
import { ANY_TEXT, fitText, takesText } from '../../../../conformance/kit/values/domain.ts';
import { memberKey, openLearned } from '../../../../conformance/kit/values/learned.ts';
import { payloadMaker } from '../../../../conformance/kit/values/payload.ts';
import { valuesOf } from '../../../../conformance/kit/values/values.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { PLAIN_SAMPLES, SAMPLE_OBJECTS } from '../../../../lib/contract/samples.ts';
import { type Family, type FamilyTable, type Field, fieldsOf } from '../../../../lib/contract/types.ts';
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

  it('hold the published id where a create needs one that points at no family', () => {
    const groupId: Field = { type: 'string', required: true, samples: ['7', '8'] };
    const sgt = { ...FAMILIES.sgt, fields: { ...fieldsOf(FAMILIES.sgt), groupId } };
    const make = payloadMaker({ table: { sgt }, prefix: 'cfm-test-', seed: 1, index: 0, of: 12, references });
    expect(make('sgt')['groupId']).toBe('7');
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

const deviations = (name: keyof typeof FAMILIES, record: unknown, form: 'record' | 'entry' = 'record') =>
  deviationsOf(FAMILIES[name], record, form);

describe('response schemas derived from the field tables', () => {
  it.each([
    { id: 'a', name: 'b', value: 5, isReadOnly: true, link: {} },
    {},
    { description: null, defaultSGACLs: null },
  ])('type listed members, allow others and let optional ones be absent or null: %o', (record) =>
    expect(deviations('sgt', record)).toEqual([]),
  );

  it.each([{ value: '5' }, { value: 1 }, { isReadOnly: 'true' }, { id: 7 }, { defaultSGACLs: {} }])(
    'refuse a member of another type: %o',
    (record) => expect(deviations('sgt', record)).toHaveLength(1),
  );

  it('ask a list entry for its id and for nothing else', () => {
    expect(deviations('ancendpoint', { id: 'a' }, 'entry')).toEqual([]);
    expect(deviations('ancendpoint', { name: 'a' }, 'entry')).toMatchObject([{ member: 'id' }]);
  });

  it('tolerate what real deployments are recorded to answer, and nothing more', () => {
    expect(deviations('sgt', { id: 'a', generationId: '28' })).toMatchObject([
      { member: 'generationId', requirement: 'RES-TYPE', tolerated: true },
    ]);
    expect(deviations('sgt', { id: 'a', value: -1 })).toEqual([]);
    expect(deviations('sgt', { id: 'a', value: 0 })).toMatchObject([{ member: 'value', tolerated: true }]);
    expect(deviations('sgt', { id: 'a', value: 1 })).toMatchObject([{ member: 'value', tolerated: false }]);
    expect(deviations('sgt', { id: 'a', generationId: true })).toMatchObject([{ tolerated: false }]);
    const record = { id: 'a', macAddress: '00:11:22:33:44:55', policyName: 'p' };
    expect(deviations('ancendpoint', record)).toMatchObject([{ member: 'name', tolerated: true }]);
  });

  it('name the requirement that a member breaks', () => {
    expect(deviations('ancendpoint', { id: 'a', name: 'n', macAddress: null })).not.toEqual([]);
    expect(deviations('sgt', { id: 5 })).toMatchObject([{ requirement: 'RES-ID', tolerated: false }]);
    const dashed = { id: 'a', name: 'n', macAddress: '00-11-22-33-44-55', policyName: 'p' };
    expect(deviations('ancendpoint', dashed)).toMatchObject([{ requirement: 'RES-MAC', tolerated: false }]);
  });

  it('take a list envelope with or without a next page, in each recorded form of none', () => {
    for (const nextPage of [
      undefined,
      null,
      {},
      '',
      { rel: null, href: null },
      { href: 'x' },
      { rel: 'next', href: 'x', type: 'y' },
    ])
      expect(listSchema.safeParse({ SearchResult: { total: 0, resources: [], nextPage } }).success).toBe(true);
    expect(listSchema.safeParse({ SearchResult: { total: 0, resources: null } }).success).toBe(true);
    for (const wrong of [{}, { SearchResult: {} }, { SearchResult: { resources: {} } }, { resources: [] }, 'x'])
      expect(listSchema.safeParse(wrong).success).toBe(false);
    expect(listSchema.safeParse({ SearchResult: { resources: [], nextPage: { href: 5 } } }).success).toBe(false);
  });
});

const NAME = { ...ANY_TEXT, refused: [' ', '-', 'letters beyond ASCII', 'supplementary characters'], longest: 12 };

describe('what a member takes', () => {
  it.each([
    ['abc_1.2', true],
    ['a-b', false],
    ['a b', false],
    ['müller', false],
    ['漢字', true],
    ['smile😀', false],
    ['abcdefghijklm', false],
  ])('is told of each kind of character and of the length: %s', (text, isTaken) => {
    expect(takesText(NAME, text)).toBe(isTaken);
    expect(takesText(NAME, fitText(NAME, text))).toBe(true);
  });

  it('is the Base64 text of a style sheet where only that was taken, and text that is one already stays', () => {
    const base64 = { ...ANY_TEXT, form: 'base64' as const };
    const sheet = fitText(base64, 'some text');
    expect(Buffer.from(sheet, 'base64').toString()).toBe('/* some text */');
    expect(fitText(base64, sheet)).toBe(sheet);
  });

  it('is never empty where nothing of a text is left', () => {
    expect(fitText(NAME, '- -')).toBe('text');
  });
});

const valuesIn = (family: string, learned = openLearned()) =>
  valuesOf(learned, FAMILIES, family, { next: () => undefined, leaveOut: () => undefined });

describe('a body of a run', () => {
  it('sets nothing that may keep its record from being removed', () => {
    expect(valuesIn('sgt').adaptAll({ isReadOnly: true, propogateToApic: true })).toEqual({
      isReadOnly: false,
      propogateToApic: true,
    });
  });

  it('holds a value that the target was seen to keep as it is, and another one as one of these', () => {
    const known = PLAIN_SAMPLES['customizations'] ?? [];
    const learned = openLearned();
    learned.samples.set(memberKey('byodportal', 'customizations'), known);
    const values = valuesIn('byodportal', learned);
    const sent = (customizations: unknown) => values.adaptAll({ customizations })['customizations'];
    expect(known.map(sent)).toEqual(known);
    expect(known).toContainEqual(sent({ other: true }));
  });
});

it('a free text that is the name of the record is given to no two records', () => {
  const { name, description } = FAMILIES.sgt.fields;
  const texts = (fields: Readonly<Record<string, Field>>) => {
    const family = { ...FAMILIES.sgt, fields };
    const run = { prefix: 'cfm1', values: { adapt: (_: string, text: string) => text } };
    const context = { family, table: { sgt: family }, run } as unknown as CheckContext;
    const own = ['cfm1a', 'cfm1b'].map((name): Fixture => ({ family: 'sgt', id: name, sent: { name } }) as Fixture);
    return own.map((each) => freeText(context, 'tried cfm1', each));
  };
  expect(texts({ name })).toEqual([{ name: 'tried cfm1a' }, { name: 'tried cfm1b' }]);
  expect(texts({ name, description })).toEqual([{ description: 'tried cfm1' }, { description: 'tried cfm1' }]);
});
