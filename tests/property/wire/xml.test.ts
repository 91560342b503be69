import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { resourceXml } from '../../../lib/wire/xml.ts';
import { forAll } from '../../helpers/for-all.ts';

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
const text = fc
  .string({ unit: 'binary', maxLength: 30 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids exactly these
  .filter((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(value));

describe('an XML body read by a parser that is not ours', () => {
  it('carries any name and description as attributes and any other text as an element', () => {
    forAll([text, text, text], (name, description, themeData) => {
      const root = read(resourceXml(NAME, { name, description, themeData }));
      expect([root['@name'], root['@description']]).toEqual([name, description]);
      expect(root['themeData']).toBe(themeData);
    });
  });

  it('repeats the element for each item of a list and nests objects', () => {
    const item = fc.record({ name: text, value: fc.integer() });
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
