import { describe, expect, it } from 'vitest';
import { deviationsOf, listSchema } from '../../../../conformance/kit/schemas.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

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
    for (const nextPage of [undefined, null, {}, '', { href: 'x' }, { rel: 'next', href: 'x', type: 'y' }])
      expect(listSchema.safeParse({ SearchResult: { total: 0, resources: [], nextPage } }).success).toBe(true);
    for (const wrong of [{}, { SearchResult: {} }, { SearchResult: { resources: {} } }, { resources: [] }, 'x'])
      expect(listSchema.safeParse(wrong).success).toBe(false);
    expect(listSchema.safeParse({ SearchResult: { resources: [], nextPage: { href: 5 } } }).success).toBe(false);
  });
});
