import { describe, expect, it } from 'vitest';
import { shrink } from '../../../../conformance/kit/shrink.ts';

const all = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));

/** What is left of the letters, some of which are needed, and how often was asked. */
async function shrunk(needed: readonly string[], tries: number) {
  let asked = 0;
  const holds = async (some: readonly string[]) => {
    asked += 1;
    return needed.every((each) => some.includes(each));
  };
  return { left: await shrink(all, holds, tries), asked };
}

describe('shrinking', () => {
  it.each([[['c']], [['c', 'x']], [['a', 'm', 'z']]])('leaves exactly what is needed: %o', async (needed) => {
    const { left, asked } = await shrunk(needed, 200);
    expect(left).toEqual(needed);
    expect(asked).toBeLessThan(60);
  });

  it('gives up after so many tries, with what it has', async () => {
    const { left, asked } = await shrunk(['c', 'x'], 4);
    expect(asked).toBe(4);
    expect(left).toEqual(expect.arrayContaining(['c', 'x']));
  });
});
