import { describe, expect, it } from 'vitest';
import { shrink } from '../../../../conformance/kit/shrink.ts';

const all = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));

describe('shrinking', () => {
  it.each([[['c']], [['c', 'x']], [['a', 'm', 'z']]])('leaves exactly what is needed: %o', async (needed) => {
    let asked = 0;
    const left = await shrink(
      all,
      async (some) => {
        asked += 1;
        return needed.every((each) => some.includes(each));
      },
      200,
    );
    expect(left).toEqual(needed);
    expect(asked).toBeLessThan(60);
  });

  it('gives up after so many tries, with what it has', async () => {
    let asked = 0;
    const left = await shrink(
      all,
      async (some) => {
        asked += 1;
        return some.includes('c') && some.includes('x');
      },
      4,
    );
    expect(asked).toBe(4);
    expect(left).toEqual(expect.arrayContaining(['c', 'x']));
  });
});
