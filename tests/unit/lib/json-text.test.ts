import { expect, it } from 'vitest';
import { jsonText } from '../../../lib/json-text.ts';

it('is the same for the same members in another order, however deep, and not for items in another order', () => {
  expect(jsonText({ b: [{ d: 1, c: null }], a: 'x' })).toBe(jsonText({ a: 'x', b: [{ c: null, d: 1 }] }));
  expect(jsonText([1, 2])).not.toBe(jsonText([2, 1]));
  expect(jsonText(undefined)).toBeUndefined();
});
