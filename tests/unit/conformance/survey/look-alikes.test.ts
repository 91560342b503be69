import { describe, expect, it } from 'vitest';
import { explaining } from '../../../../conformance/checks/list/sort/collation.ts';
import { LOOK_ALIKES } from '../../../../conformance/checks/survey/world/texts.ts';

const digits = LOOK_ALIKES.filter((text) => /^\d+$/.test(text));
const sortedBy = (compare: (one: string, other: string) => number) => [...digits].sort(compare);
const asTexts = (one: string, other: string) => (one < other ? -1 : 1);

describe('texts of digits', () => {
  it('have one order as texts, another as numbers, and a third as texts without their zeros', () => {
    const orders = [
      sortedBy(asTexts),
      sortedBy((one, other) => Number(one) - Number(other)),
      sortedBy((one, other) => asTexts(String(Number(one)), String(Number(other)))),
    ].map(String);
    expect(new Set(orders).size).toBe(3);
  });

  it('may be sorted as texts or by their numbers, and not as texts without their zeros', () => {
    expect(explaining(sortedBy(asTexts), false)).toBeDefined();
    expect(
      explaining(
        sortedBy((one, other) => Number(one) - Number(other)),
        false,
      ),
    ).toBeDefined();
    const cut = sortedBy((one, other) => asTexts(String(Number(one)), String(Number(other))));
    expect(explaining(cut, false)).toBeUndefined();
  });
});
