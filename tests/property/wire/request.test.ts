import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { OPERATOR_NAMES } from '../../../lib/contract/list.ts';
import { ipOf, macOf, permutation } from '../../../lib/wire/endpoint.ts';
import { buildRequest } from '../../../lib/wire/request.ts';
import { scheduleDues, scheduleStages } from '../../../lib/wire/scenario.ts';
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

describe('the endpoints of a pool', () => {
  it('gives an address back as the index it was made of, in every space', () => {
    forAll([fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 255 })], (index, space) => {
      const mac = macOf(index, space);
      expect(mac).toMatch(/^02(:[0-9A-F]{2}){5}$/);
      expect(Number.parseInt(mac.slice(6).replaceAll(':', ''), 16)).toBe(index);
    });
  });

  it('gives different indexes different IP addresses', () => {
    const index = fc.integer({ min: 0, max: 2 ** 24 - 1 });
    forAll([index, index], (a, b) => {
      expect(ipOf(a) === ipOf(b)).toBe(a === b);
    });
  });

  it('visits every endpoint once before any twice, for every size and seed', () => {
    forAll([fc.integer({ min: 1, max: 3000 }), fc.integer()], (size, seed) => {
      const order = permutation(size, seed);
      const first = Array.from({ length: size }, (_, seq) => order(seq));
      expect(new Set(first).size).toBe(size);
      expect(first.every((index) => Number.isInteger(index) && index >= 0 && index < size)).toBe(true);
      expect(order(size + 5)).toBe(order(5));
    });
  });

  it('stays exact at the largest size: neighbors differ by the same step everywhere', () => {
    const size = 2 ** 26;
    const order = permutation(size, 3);
    const step = order(1) - order(0);
    forAll([fc.integer({ min: 0, max: size - 2 })], (seq) => {
      expect((((order(seq + 1) - order(seq) - step) % size) + size) % size).toBe(0);
    });
  });
});

/** A warm-up of 2 s, a minute, and a tail of a tenth of a second. */
const minuteAt = (ratePerSecond: number) => ({
  stretches: [2, 60, 0.1].map((seconds) => ({ seconds, ratePerSecond })),
});

it('puts exactly the arrivals of the rate into the warm-up, the window and the tail', () => {
  for (const ratePerSecond of [1, 62.5, 250, 4999.9]) {
    const dues = scheduleDues(minuteAt(ratePerSecond));
    const between = (from: number, to: number) => dues.filter((due) => due >= from * 1e6 && due < to * 1e6).length;
    const counts = [2, 60, 0.1].map((seconds) => Math.ceil(ratePerSecond * seconds - 1e-6));
    expect([between(0, 2), between(2, 62), between(62, 63)]).toEqual(counts);
  }
});

it('gives whole microseconds, ascending', () => {
  const dues = scheduleDues(minuteAt(62.5));
  expect(dues.every((due, at) => Number.isInteger(due) && due > (dues[at - 1] ?? -1))).toBe(true);
});

it('changes the rate from one stretch to the next at equal distances', () => {
  const stretches = [
    { seconds: 2, ratePerSecond: 100 },
    { seconds: 1, ratePerSecond: 250 },
  ];
  const dues = scheduleDues({ stretches });
  expect([dues.length, dues[199], dues[200], dues[449]]).toEqual([450, 1_990_000, 2_000_000, 2_996_000]);
});

/** Moments at which k6 starts the arrivals of stages, by the arithmetic of its `ramping-arrival-rate`, microseconds. */
function startsOfK6({ timeUnit, stages }: ReturnType<typeof scheduleStages>): number[] {
  const unitUs = Number(timeUnit.slice(0, -1)) * 1e6;
  const starts: number[] = [];
  let [next, done, from, stageStart] = [1, 0, 0, 0];
  for (const stage of stages) {
    const to = stage.target / unitUs;
    const us = Number(stage.duration.replace(/u?s$/, ''));
    const end = done + (from === to ? us * to : us * ((to - from) / 2 + from));
    for (; next <= end; next += 1) starts.push(stageStart + (from === to ? (next - done) / to : 0));
    done = end;
    from = to;
    stageStart += us;
  }
  return starts;
}

it('gives k6 stages that start every arrival at its moment, none more and none less', () => {
  for (const ratePerSecond of [1.5, 250, 4000]) {
    const dues = scheduleDues(minuteAt(ratePerSecond));
    const starts = startsOfK6(scheduleStages(dues, 62.1));
    expect(starts.length).toBe(dues.length);
    const most = starts.reduce((worst, start, at) => Math.max(worst, Math.abs(start - (dues[at] ?? 0))), 0);
    expect(most).toBeLessThan(10);
  }
});
