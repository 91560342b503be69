import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../conformance/driver/session.ts';
import { settled } from '../../../../conformance/driver/settle.ts';
import type { ListObservation } from '../../../../conformance/model/observation.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

type Shown = ListObservation['shown'];

/** A list of everything that shows these pages; `status`: the answer to the link of the last one. */
const list = (pages: readonly (readonly string[])[], status?: number): Shown => ({
  pages: pages.map((ids) => ids.map((id) => ({ id, record: { id } }))),
  ...(status === undefined ? { end: 'whole' } : { end: 'refused', status }),
});

/** A session on a family in which nothing was written, whose looks show one list after the other, and then the last one. */
function looking(...lists: readonly Shown[]) {
  return lookingBeside(0, ...lists);
}

/** The same while so many writes of the sequence are on their way. */
function lookingBeside(writing: number, ...lists: readonly Shown[]) {
  let looks = 0;
  const look = async () => {
    looks += 1;
    const shown = lists[Math.min(looks, lists.length) - 1] as Shown;
    return { question: { window: 'list', family: 'sgt', filters: [], size: 2 }, shown } as const;
  };
  const session = {
    context: {
      table: FAMILIES,
      family: FAMILIES.sgt,
      ledger: { standing: () => undefined, writes: () => 0 },
      run: { dialect: () => undefined },
    },
    ...{ book: new Map(), history: [], touched: new Set(), isKnown: () => false, own: 'cfm' },
    count: { comparisons: 0, flying: 0, writing, largestPage: 0, inVain: 0 },
    others: { shown: undefined, gone: new Set(), isGrowing: false, there: new Set() },
    told: { shown: 0, absent: 0 },
    anc: { holdings: new Map() },
    eventually: async (again: () => Promise<unknown>) => {
      while (looks < lists.length) if ((await again()) !== undefined) return true;
      return undefined;
    },
  };
  return settled(session as unknown as Session, look);
}

describe('a page behind a link that is refused', () => {
  it('is a difference', async () => {
    const found = await looking(list([['a', 'b']], 400), list([['a', 'b']], 400));
    expect(found?.difference.requirement).toBe('LST-NEXT');
  });

  it('is one if it comes and goes', async () => {
    const refused = list([['a', 'b']], 400);
    const found = await looking(refused, list([['a', 'b'], ['c']]), refused);
    expect(found?.difference.observed).toContain('in some answers and not in others');
  });

  it('is none if records of others came or went meanwhile', async () => {
    const changed = list([['a', 'c'], ['d']]);
    expect(await looking(list([['a', 'b']], 400), changed, list([['b', 'd']], 400))).toBeUndefined();
  });

  it('is none while the sequence writes: a later page may be gone', async () => {
    const refused = list([['a', 'b']], 400);
    expect(await lookingBeside(1, refused, list([['a', 'b'], ['c']]), refused)).toBeUndefined();
  });
});
