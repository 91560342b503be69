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

const shows = (shown: Shown) => ({ question: { window: 'list', family: 'sgt', filters: [], size: 2 }, shown }) as const;

/** The same while so many writes of the sequence are on their way. */
function lookingBeside(writing: number, ...lists: readonly Shown[]) {
  let looks = 0;
  const look = async () => {
    looks += 1;
    return shows(lists[Math.min(looks, lists.length) - 1] as Shown);
  };
  const session = sessionOf(writing, async (again) => {
    while (looks < lists.length) if ((await again()) !== undefined) return true as never;
    return undefined;
  });
  return settled(session, look);
}

function sessionOf(writing: number, eventually: Session['eventually']): Session {
  const session = {
    context: {
      table: FAMILIES,
      family: FAMILIES.sgt,
      ledger: { standing: () => undefined, writes: () => 0, leftAlone: () => [] },
      run: { dialect: () => undefined },
      eventually,
    },
    ...{ book: new Map(), history: [], touched: new Set(), isKnown: () => false, own: 'cfm' },
    count: { comparisons: 0, tally: new Map(), flying: 0, writing, largestPage: 0, inVain: 0, helpedMs: 0 },
    others: { shown: undefined, gone: new Set(), isGrowing: false, there: new Set() },
    told: { shown: 0, absent: 0 },
    anc: { holdings: new Map(), read: new Map() },
    eventually,
  };
  return session as unknown as Session;
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

it('waits a few whole windows in vain, and then less', async () => {
  const session = sessionOf(0, async (again) => {
    for (let waited = 0; waited < 100; waited += 1) {
      const value = await again();
      if (value !== undefined) return value;
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
    return undefined;
  });
  const waits: number[] = [];
  for (let asked = 0; asked < 4; asked += 1) {
    let looks = 0;
    const found = await settled(session, async () => {
      looks += 1;
      return shows(list([['a', 'b']], 400));
    });
    expect(found?.difference.requirement).toBe('LST-NEXT');
    waits.push(looks);
  }
  expect(waits.slice(0, 3)).toEqual([101, 101, 101]);
  expect(waits[3]).toBeLessThan(60);
});
