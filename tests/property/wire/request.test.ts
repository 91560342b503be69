import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { buildRequest } from '../../../lib/wire/request.ts';
import { resourceXml } from '../../../lib/wire/xml.ts';
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

const NAME = { element: 'sgt', namespace: 'trustsec.ers.ise.cisco.com' };
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  processEntities: { enabled: true },
  htmlEntities: true,
});

/** The root element as an object; a document that is not well formed fails the test. */
function read(xml: string): Record<string, unknown> {
  expect(XMLValidator.validate(xml)).toBe(true);
  const { sgt, ...others } = parser.parse(xml) as Record<string, Record<string, unknown>>;
  expect(others).toEqual({});
  return sgt ?? {};
}

/** Text that XML 1.0 can hold. */
const written = fc
  .string({ unit: 'binary', maxLength: 30 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids exactly these
  .filter((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(value));

describe('an XML body read by a parser that is not ours', () => {
  it('carries any name and description as attributes and any other text as an element', () => {
    forAll([written, written, written], (name, description, themeData) => {
      const root = read(resourceXml(NAME, { name, description, themeData }));
      expect([root['@name'], root['@description']]).toEqual([name, description]);
      expect(root['themeData']).toBe(themeData);
    });
  });

  it('repeats the element for each item of a list and nests objects', () => {
    const item = fc.record({ name: written, value: fc.integer() });
    forAll([fc.array(item, { minLength: 2, maxLength: 5 })], (items) => {
      const root = read(
        resourceXml(NAME, { additionalData: items, settings: { portalSettings: { httpsPort: 8443 } } }),
      );
      expect(root['additionalData']).toEqual(items.map(({ name, value }) => ({ name, value: String(value) })));
      expect(root['settings']).toEqual({ portalSettings: { httpsPort: '8443' } });
    });
  });

  it('leaves out members that are undefined or null and drops characters XML cannot hold', () => {
    const root = read(resourceXml(NAME, { id: undefined, value: null, name: 'a\u0000b\u001fc' }));
    expect(root).toEqual({ '@name': 'abc' });
  });

  it('writes markup as text, never as elements', () => {
    const root = read(resourceXml(NAME, { name: '"><x/>', themeData: ']]><!-- & -->' }));
    expect([root['@name'], root['themeData'], root['x']]).toEqual(['"><x/>', ']]><!-- & -->', undefined]);
  });
});
