import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import type { Family, FamilyTable } from '../../../lib/contract/types.ts';
import { buildRequest } from '../../../lib/wire/request.ts';

/** A family that the specification does not have. */
const THIRTEENTH = {
  ...FAMILIES,
  gatekeeper: {
    name: 'gatekeeper',
    title: 'Gatekeeper',
    purpose: 'a made-up family',
    versions: ['3.1.1'],
    ops: ['list', 'read'],
    fields: { name: { type: 'string' } },
    filters: ['name'],
    sorts: ['name'],
    roots: {},
  },
} as const satisfies FamilyTable;

const listOf = <F extends string, O extends string>(field: F, operator: O, value: string) => ({
  filters: [{ field, operator, value }],
});

describe('the literal types of the tables', () => {
  it('rejects an operation that the family lacks, at compile time and at run time', () => {
    // @ts-expect-error SMS providers have no read
    expect(() => buildRequest(FAMILIES, 'smsprovider', 'read', { id: '1' })).toThrow(
      /smsprovider has no operation read/,
    );
    // @ts-expect-error SXP VPNs have no update
    expect(() => buildRequest(FAMILIES, 'sxpvpns', 'update', { id: '1' })).toThrow(/sxpvpns has no operation update/);
    // @ts-expect-error only nodes are read by name
    expect(() => buildRequest(FAMILIES, 'sgt', 'readByName', { name: 'a' })).toThrow(/sgt has no operation readByName/);
  });

  it('rejects a family that the table lacks', () => {
    // @ts-expect-error no such family
    expect(() => buildRequest(FAMILIES, 'gatekeeper', 'list')).toThrow(/gatekeeper has no operation list/);
  });

  it('rejects sort and filter fields that the family does not list, at compile time', () => {
    // @ts-expect-error portal themes sort by name and description
    buildRequest(FAMILIES, 'portaltheme', 'list', { list: { sortAsc: 'themeData' } });
    // @ts-expect-error nodes have no sort fields
    buildRequest(FAMILIES, 'node', 'list', { list: { sortDsc: 'name' } });
    const value = '';
    // @ts-expect-error hotspot portals filter by name only
    buildRequest(FAMILIES, 'hotspotportal', 'list', { list: listOf('description', 'EQ', value) });
    // @ts-expect-error the operator is STARTSW
    buildRequest(FAMILIES, 'sgt', 'list', { list: listOf('name', 'STARTSWITH', value) });
    const sorted = buildRequest(FAMILIES, 'sgt', 'list', { list: { sortAsc: 'value' } });
    expect(sorted.path).toBe('/ers/config/sgt?sortasc=value');
  });

  it('rejects a table whose entry has a mistake', () => {
    const filled = { ...THIRTEENTH.gatekeeper };
    // @ts-expect-error there is no version group 3.2.0
    const version: Family = { ...filled, versions: ['3.2.0'] };
    // @ts-expect-error there is no operation patch
    const operation: Family = { ...filled, ops: ['patch'] };
    expect([version.ops, operation.versions]).toEqual([['list', 'read'], ['3.1.1']]);
  });

  it('types a thirteenth family as soon as the table has it', () => {
    expect(buildRequest(THIRTEENTH, 'gatekeeper', 'read', { id: 'a b' }).path).toBe('/ers/config/gatekeeper/a%20b');
    // @ts-expect-error the made-up family has no delete
    expect(() => buildRequest(THIRTEENTH, 'gatekeeper', 'delete', { id: '1' })).toThrow();
  });
});
