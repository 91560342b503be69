import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { encodeQuery, listQueryPairs } from '../../../lib/wire/query.ts';
import { buildRequest } from '../../../lib/wire/request.ts';

describe('the query of a list', () => {
  it('sends page 0 and size 0, and nothing that was not asked for', () => {
    expect(encodeQuery(listQueryPairs({ page: 0, size: 0 }))).toBe('?size=0&page=0');
    expect(encodeQuery(listQueryPairs({ filters: [] }))).toBe('');
  });

  it('spells the joining parameter as the target takes it', () => {
    const pairs = listQueryPairs({ join: 'or' }, { name: 'filtertype', or: 'OR' });
    expect(encodeQuery(pairs)).toBe('?filtertype=OR');
    expect(encodeQuery(listQueryPairs({ join: 'and' }))).toBe('?filterType=AND');
  });

  it('passes extra parameters through on any operation, after the listed ones', () => {
    const input = { id: 'x', list: { size: 1 }, extra: ['a b', '2'].map((value) => ['trace', value] as const) };
    expect(buildRequest(FAMILIES, 'sgt', 'list', input).path).toMatch(/\?size=1&trace=a%20b&trace=2$/);
    expect(buildRequest(FAMILIES, 'sgt', 'version', input).path).toMatch(/versioninfo\?trace=a%20b&trace=2$/);
    expect(buildRequest(FAMILIES, 'sgt', 'delete', input).path).toMatch(/\/x\?trace=/);
  });

  it('ignores a list query on an operation that takes none', () => {
    expect(buildRequest(FAMILIES, 'sgt', 'read', { id: 'x', list: { size: 1 } }).path).toBe('/ers/config/sgt/x');
  });
});
