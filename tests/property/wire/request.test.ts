import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { buildRequest } from '../../../lib/wire/request.ts';
import { forAll } from '../../helpers/for-all.ts';

const BASE = 'http://127.0.0.1:1';
const text = fc.string({ unit: 'binary', maxLength: 40 });
const segment = text.filter((value) => !['', '.', '..'].includes(value));
const filter = fc.record({
  field: fc.constantFrom(...FAMILIES.sgt.filters),
  operator: fc.constantFrom(...OPERATOR_NAMES),
  value: text,
});

describe('a request read back as a server reads it', () => {
  it('carries any id as one path segment', () => {
    forAll([segment], (id) => {
      const { pathname, search, hash } = new URL(BASE + buildRequest(FAMILIES, 'sgt', 'read', { id }).path);
      expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'ers', 'config', 'sgt', id]);
      expect(search + hash).toBe('');
    });
  });

  it('carries any filters in their order, with values that a split at two dots gives back', () => {
    forAll([fc.array(filter, { maxLength: 4 })], (filters) => {
      const { path } = buildRequest(FAMILIES, 'sgt', 'list', { list: { filters } });
      const read = new URL(BASE + path).searchParams.getAll('filter').map((triplet) => {
        const [, field, operator, value] = /^([^.]*)\.([^.]*)\.(.*)$/s.exec(triplet) ?? [];
        return { field, operator, value };
      });
      expect(read).toEqual(filters);
    });
  });

  it('carries exactly the members of a JSON body that are set', () => {
    const members = fc.dictionary(text, fc.option(fc.jsonValue(), { nil: undefined }), { noNullPrototype: true });
    forAll([members], (fields) => {
      const { body = '' } = buildRequest(FAMILIES, 'sgt', 'create', { fields });
      const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify({ Sgt: set })));
    });
  });
});
