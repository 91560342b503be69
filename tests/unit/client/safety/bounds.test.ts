import { describe, expect, it } from 'vitest';
import { isUsableId } from '../../../../lib/client/safety/record-identity.ts';
import { isTooDeep, jsonOf } from '../../../../lib/json-text.ts';
import { walkList } from '../../../../lib/wire/list-walk.ts';

describe('JSON of an answer', () => {
  it.each(['[', '{"a":'])('that nests 20,000 times %s is not parsed', (open) => {
    expect(jsonOf(open.repeat(20_000))).toBeUndefined();
  });

  it('is parsed where brackets stand in texts, and where it is as deep as real answers are', () => {
    const text = JSON.stringify({
      text: '[{'.repeat(1000),
      quote: '"[',
      deep: JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`),
    });
    expect(isTooDeep(text)).toBe(false);
    expect(jsonOf(text)).toEqual(JSON.parse(text));
  });
});

describe('an answer of millions of objects', () => {
  it('is not parsed, and one of a whole page is', () => {
    const many = (count: number) => `[${Array.from({ length: count }, () => '{}').join(',')}]`;
    expect([jsonOf(many(400_000)), jsonOf(many(50_000))]).toEqual([undefined, expect.any(Array)]);
  });
});

describe('a list without an end', () => {
  it('is not followed by an address that no request can carry, and has no entry of such an id', async () => {
    const json = {
      SearchResult: {
        total: 2,
        resources: [{ id: 'x'.repeat(10_000) }],
        nextPage: { href: `/next/${'x'.repeat(10_000)}` },
      },
    };
    const page = () => Promise.resolve({ status: 200, headers: {}, json });
    const walk = await walkList({ list: page, follow: page }, {});
    expect([walk.cut, walk.ids, walk.pages.length]).toEqual(['length', [], 1]);
  });

  it('is read no further than its pages may be kept', async () => {
    const body = 'x'.repeat(4 * 1024 * 1024);
    let asked = 0;
    const page = () => {
      asked += 1;
      const json = {
        SearchResult: { total: 1, resources: [{ id: `${asked}` }], nextPage: { href: `/next/${asked}` } },
      };
      return Promise.resolve({ status: 200, headers: {}, json, body });
    };
    const walk = await walkList({ list: page, follow: page }, {});
    expect([walk.cut, asked]).toEqual(['length', 2]);
  });
});

describe('an id', () => {
  it.each(['0cf00000-0000-4000-8000-000000000001', 'new 1', '02:00:00:00:00:01', 'ä_~.'])('may be %j', (id) => {
    expect(isUsableId(id)).toBe(true);
  });

  it.each([
    ...['', '.', '..', 'a/b', 'a\\b', 'a?b', 'a#b', 'a;b', 'a%2fb', ' a'],
    ...['a\u0000', '\ud800', 'a\u2028', 'x'.repeat(257)],
  ])('is never %j', (id) => {
    expect(isUsableId(id)).toBe(false);
  });
});
