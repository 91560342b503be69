import { expect, it } from 'vitest';
import { jsonOf, jsonText } from '../../../lib/json-text.ts';

it('is the same for the same members in another order, however deep, and not for items in another order', () => {
  expect(jsonText({ b: [{ d: 1, c: null }], a: 'x' })).toBe(jsonText({ a: 'x', b: [{ c: null, d: 1 }] }));
  expect(jsonText([1, 2])).not.toBe(jsonText([2, 1]));
  expect(jsonText(undefined)).toBeUndefined();
});

it('keeps every digit of an id, and changes no text that holds one', () => {
  const held = { id: '1012345678901234567', text: '"id":1012345678901234567,', value: 7 };
  expect(jsonOf(`{"id" : 1012345678901234567 ,"text":${JSON.stringify(held.text)},"value":7}`)).toEqual(held);
  expect(jsonOf('{"a":{"id":9007199254740993},"id":42}')).toEqual({ a: { id: '9007199254740993' }, id: 42 });
});
