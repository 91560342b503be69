import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { encodeQuery, listQueryPairs } from '../../../lib/wire/query.ts';
import { buildRequest } from '../../../lib/wire/request.ts';

const filter = (value: string) => ({ field: 'name', operator: 'EQ', value }) as const;

describe('the query of a list', () => {
  it('repeats filter, joins by or, and puts page last', () => {
    const filters = [filter('a'), { field: 'value', operator: 'GT', value: '9' }] as const;
    const list = { page: 2, size: 10, sortDsc: 'value', filters, join: 'or' } as const;
    const { path } = buildRequest(FAMILIES, 'sgt', 'list', { list });
    expect(path).toBe('/ers/config/sgt?filter=name.EQ.a&filter=value.GT.9&filterType=or&sortdsc=value&size=10&page=2');
  });

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
