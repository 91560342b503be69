import { describe, expect, it } from 'vitest';
import { isUsableId, withAskedId } from '../../../../lib/client/safety/record-identity.ts';
import { firstShown } from '../../../../lib/client/safety/sent.ts';
import { isTooDeep, jsonOf } from '../../../../lib/json-text.ts';

describe('JSON of an answer', () => {
  it.each(['[', '{"a":'])('that nests 20,000 times %s is not parsed', (open) => {
    expect(jsonOf(open.repeat(20_000))).toBeUndefined();
  });

  it('is parsed where brackets stand in texts, and where it is as deep as real answers are', () => {
    const deep = JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`);
    const text = JSON.stringify({ text: '[{'.repeat(1000), quote: '"[', deep });
    expect([isTooDeep(text), jsonOf(text)]).toEqual([false, JSON.parse(text)]);
  });

  it('of millions of objects is not parsed, and of a whole page is', () => {
    const many = (count: number) => `[${Array.from({ length: count }, () => '{}').join(',')}]`;
    expect([jsonOf(many(400_000)), jsonOf(many(50_000))]).toEqual([undefined, expect.any(Array)]);
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

const asked = { op: 'read', family: 'sxpvpns', path: '/ers/config/sxpvpns/7' } as const;

it.each([
  ['has the one that was asked for', { ERSSxpVpn: { sxpVpnName: 'a' } }, { ERSSxpVpn: { sxpVpnName: 'a', id: '7' } }],
  ['has it without a root key too', { sxpVpnName: 'a' }, { sxpVpnName: 'a', id: '7' }],
  ['has none if nothing in it is named', { error: { text: 'no such record' } }, undefined],
  ['is a list', { SearchResult: { resources: [{ name: 'a' }] } }, undefined],
  ['keeps an id of its own', { ERSSxpVpn: { sxpVpnName: 'a', id: '8' } }, undefined],
])('a read that shows no id %s', (_, json, shown) => {
  expect(withAskedId(asked, json)).toEqual(shown ?? json);
  expect(withAskedId({ ...asked, op: 'list' }, json)).toBe(json);
});

describe('ids that answers showed', () => {
  it('are before a moment where they were shown first before it, each family for itself', () => {
    const seen = firstShown();
    seen.see('sgt', 'a', 1);
    seen.see('sgt', 'a', 5);
    seen.see('node', 'b', 1);
    expect(['a', 'b'].map((id) => seen.isBefore('sgt', id, 2))).toEqual([true, false]);
    expect(seen.isBefore('sgt', 'a', 1)).toBe(false);
    expect(seen.isBefore('portal', 'a', 2)).toBe(false);
  });

  it.each([
    ['9925B2CC-9760-40b0-96e8-28192744d788', 'urn:uuid:9925b2cc-9760-40b0-96e8-28192744d788'],
    ['{9925b2cc-9760-40b0-96e8-28192744d788}', '9925b2cc976040b096e828192744d788'],
    ['7', '007'],
    ['7', '\uff17'],
  ])('count as one in every form that a target may take for one: %s, %s', (id, other) => {
    const seen = firstShown();
    seen.see('sgt', id, 1);
    expect(['-', '--', other].map((each) => seen.isBefore('sgt', each, 2))).toEqual([false, false, true]);
  });

  it('are not known to be new once there were too many to remember', () => {
    const seen = firstShown(2);
    for (const id of ['a', 'b', 'c']) seen.see('sgt', id, 1);
    expect(['a', 'b', 'c', 'd'].map((id) => seen.isBefore('sgt', id, 2))).toEqual([true, true, undefined, undefined]);
    expect(seen.isBefore('node', 'c', 2)).toBeUndefined();
    expect(['A', 'D'].map((id) => seen.isBefore('sgt', id, 2))).toEqual([true, undefined]);
  });
});
