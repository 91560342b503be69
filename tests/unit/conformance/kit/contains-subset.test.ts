import { describe, expect, it } from 'vitest';
import { holds } from '../../../../conformance/kit/contains-subset.ts';

describe('whether an answer holds what was sent', () => {
  it('allows members that the server adds, in objects and in the items of lists', () => {
    expect(holds({ a: 1, b: 2 }, { a: 1 })).toBe(true);
    expect(holds([{ id: 'x', name: 'n' }], [{ name: 'n' }])).toBe(true);
    expect(holds({ any: 'default' }, {})).toBe(true);
    expect(holds([{ id: 'x' }], [])).toBe(true);
  });

  it('sees what was changed, dropped or turned into another type', () => {
    expect(holds({ a: 2 }, { a: 1 })).toBe(false);
    expect(holds({}, { a: 1 })).toBe(false);
    expect(holds('1', 1)).toBe(false);
    expect(holds([], [{ name: 'n' }])).toBe(false);
    expect(holds(undefined, false)).toBe(false);
    expect(holds('x', '')).toBe(false);
  });

  it('takes an absent member for an empty text', () => {
    expect(holds(undefined, '')).toBe(true);
    expect(holds(null, '')).toBe(true);
  });
});
