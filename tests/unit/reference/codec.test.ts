import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { serviceDocument } from '../../../reference/answers/present.ts';
import { createCodec, toXml } from '../../../reference/codec/codec.ts';
import { decodeEntities, readXml } from '../../../reference/codec/read-xml.ts';
import type { Seams } from '../../../reference/seams.ts';

const seams = {} as Seams;
const codec = createCodec(FAMILIES, seams);
seams.codec = codec;

describe('the codec', () => {
  it.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['text/html, */*;q=0.1', 'json'],
    ['application/xml', 'xml'],
    ['application/json;q=0.2, application/xml', 'xml'],
    ['application/vnd.com.cisco.ise.trustsec.sgt.1.0+xml', 'xml'],
  ])('answers Accept %s in %s', (accept, format) => {
    expect(codec.acceptOf(accept)).toBe(format);
  });

  it('refuses an Accept that admits neither form', () => {
    expect(() => codec.acceptOf('text/html')).toThrow(/accept/);
    expect(() => codec.acceptOf('application/json;q=0')).toThrow(/accept/);
  });

  it('keeps text as it is: blanks, numeric entities, CDATA', () => {
    const xml = '<sgt name=" a&#x20;&#228;&amp;"><description><![CDATA[<&amp;>]]></description></sgt>';
    expect(codec.decode('sgt', 'create', xml, 'xml')).toEqual({ name: ' a ä&', description: '<&amp;>' });
  });

  it('refuses a member that occurs twice', () => {
    expect(() => codec.decode('sgt', 'create', '<sgt><name>a</name><name>b</name></sgt>', 'xml')).toThrow(/name/);
  });

  it('refuses entities it does not know, and those beyond Unicode', () => {
    expect(() => decodeEntities('&nbsp;')).toThrow(/nbsp/);
    expect(() => decodeEntities('&#x110000;')).toThrow();
    expect(decodeEntities('&#65;&lt;&')).toBe('A<&');
  });

  it('writes lists with attributes and resources with elements, and reads its own text', () => {
    const list = toXml(
      serviceDocument('SearchResult', {
        total: 1,
        resources: [{ id: '1', name: '<a>', link: { rel: 'self' } }],
        nextPage: { href: 'x?a=1&b=2' },
      }),
    );
    const read = readXml(list);
    expect(read.attributes).toEqual({ total: '1' });
    expect(read.children['resources']?.[0]?.children['resource']?.[0]?.attributes).toEqual({ id: '1', name: '<a>' });
    expect(read.children['nextPage']?.[0]?.attributes).toEqual({ href: 'x?a=1&b=2' });
  });
});
