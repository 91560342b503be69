import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { seededRandom } from '../../../lib/random.ts';
import { createCsrfTokens } from '../../../reference/access/gate.ts';
import { serviceDocument } from '../../../reference/answers/present.ts';
import { createCodec, toXml } from '../../../reference/codec/codec.ts';
import { decodeEntities, readXml } from '../../../reference/codec/read-xml.ts';
import { randomIds, sessionTable } from '../../../reference/deployment.ts';
import type { Seams } from '../../../reference/seams.ts';
import { recordTable } from '../../../reference/store/store.ts';

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

it('the table of records moves the index with a new version, and leaves the old version as it was', () => {
  const table = recordTable(['name']);
  table.insert({ id: '1', name: 'old' });
  const before = table.get('1');
  table.replace({ id: '1', name: 'new' });
  expect(before).toEqual({ id: '1', name: 'old' });
  expect([table.find('name', 'old'), table.find('name', 'new')?.id]).toEqual([undefined, '1']);
  expect(table.length).toBe(1);
});

it('CSRF tokens are forgotten after the idle time, and live on while they are used', () => {
  let now = 0;
  const tokens = createCsrfTokens(() => now);
  const [used, idle] = [tokens.issue(), tokens.issue()];
  now = 50_000;
  expect(tokens.accepts(used)).toBe(true);
  now = 100_000;
  expect([tokens.accepts(used), tokens.accepts(idle), tokens.accepts(undefined)]).toEqual([true, false, false]);
  now = 161_000;
  expect(tokens.accepts(used)).toBe(false);
});

it('the session table knows the address of each session and of no other', () => {
  const macOfIp = sessionTable(300);
  expect(macOfIp('10.0.1.43')).toBe('02:00:00:00:01:2B');
  for (const odd of ['10.0.1.44', '10.0.0.256', '11.0.0.1', '10.0.0', 'x']) expect(macOfIp(odd)).toBeUndefined();
});

it('ids are version 4 UUIDs, differ, and repeat with the seed', () => {
  const make = (seed: number) => Array.from({ length: 1000 }, randomIds(seededRandom(seed)));
  const ids = make(7);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(1000);
  expect(make(7)).toEqual(ids);
  expect(make(8)).not.toEqual(ids);
});
