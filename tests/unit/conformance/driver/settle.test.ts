import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { patient } from '../../../../conformance/driver/patience.ts';
import { noCounts, note, type Session } from '../../../../conformance/driver/session.ts';
import { settled } from '../../../../conformance/driver/settle.ts';
import { poller } from '../../../../conformance/kit/poller.ts';
import type { ListObservation } from '../../../../conformance/model/observation.ts';
import { learnGenerated } from '../../../../conformance/steps/made.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { answerOf, aSession } from '../../../helpers/a-session.ts';

type Shown = ListObservation['shown'];

/** A list of everything that shows these pages; `status`: the answer to the link of the last one. */
const list = (pages: readonly (readonly string[])[], status?: number): Shown => ({
  pages: pages.map((ids) => ids.map((id) => ({ id, record: { id, name: id } }))),
  ...(status === undefined ? { end: 'whole' } : { end: 'refused', status }),
});

const shows = (shown: Shown) => ({ question: { window: 'list', family: 'sgt', filters: [], size: 2 }, shown }) as const;

/**
 * What is told in a family in which nothing was written, whose looks show one list after the other, and then the last
 * one, while so many writes of the sequence are on their way.
 */
function lookingBeside(writing: number, ...lists: readonly Shown[]) {
  let looks = 0;
  const look = async () => {
    looks += 1;
    return shows(lists[Math.min(looks, lists.length) - 1] as Shown);
  };
  const session = sessionOf(writing, async (again) => {
    while (looks < lists.length) if ((await again()) !== undefined) return true as never;
    session.count.writing = 0;
    return undefined;
  });
  return settled(session, look);
}

function sessionOf(writing: number, eventually: Session['eventually']): Session {
  const ledger = {
    standing: () => undefined,
    writes: () => 0,
    movedMs: () => Number.NEGATIVE_INFINITY,
    leftAlone: () => [],
  };
  return aSession({ eventually, context: { ledger }, own: 'cfm', count: { ...noCounts(), writing } });
}

describe('a page behind a link that is refused', () => {
  it('is one if it comes and goes', async () => {
    const refused = list([['a', 'b']], 400);
    const found = await lookingBeside(0, refused, list([['a', 'b'], ['c']]), refused);
    expect(found?.difference.about.unsteady).toBe('by turns');
  });

  it('is none if records of others came or went meanwhile', async () => {
    const changed = list([['a', 'c'], ['d']]);
    expect(await lookingBeside(0, list([['a', 'b']], 400), changed, list([['b', 'd']], 400))).toBeUndefined();
  });

  it('is none while the sequence writes: a later page may be gone', async () => {
    const refused = list([['a', 'b']], 400);
    expect(await lookingBeside(1, refused, list([['a', 'b'], ['c']]), refused)).toBeUndefined();
  });
});

describe('a record in a list of several pages, beside the writes of others', () => {
  const sent = { name: 'a' };
  const write = { kind: 'create', family: 'sgt', id: 'a', sent, form: 'json', end: 'done' } as const;
  const known = { family: 'sgt', id: 'a', isLive: true, fields: sent, former: {}, last: write };
  const filter = { field: 'name', operator: 'EQ', value: 'a' } as const;
  /** Judges lists of names that are not `a`, or are, which show one after the other, and then the last one. */
  function judged(operator: 'EQ' | 'NEQ', lists: readonly (readonly (readonly string[])[])[], isGrowing = false) {
    let looks = 0;
    const session = sessionOf(0, async (again) => (await again()) ?? (await again()) ?? again());
    session.others.isGrowing = isGrowing;
    session.book.set('sgt/a', known);
    return settled(session, async () => {
      const shown = list(lists[Math.min(looks, lists.length - 1)] as readonly string[][]);
      looks += 1;
      return { question: { ...{ window: 'list', family: 'sgt', size: 2 }, filters: [{ ...filter, operator }] }, shown };
    });
  }

  it('is shown against a filter, and no record that moves is a reason for that', async () => {
    const lists = [
      [['b', 'a'], ['c']],
      [['d', 'a'], ['c']],
    ];
    expect((await judged('NEQ', lists))?.difference).toMatchObject({ requirement: 'FOP-NEQ', record: 'sgt/a' });
  });

  it('is missing, and may have moved', async () => {
    const there = [['b', 'c'], ['a']];
    expect(await judged('EQ', [[['b', 'c'], ['d']], there, [['c', 'd'], ['e']]])).toBeUndefined();
  });

  it('is there twice by turns, and is moved by those whom the filter hides', async () => {
    const [twice, none] = [
      [['a'], ['a']],
      [[], []],
    ];
    expect(await judged('EQ', [twice, [['a']], twice], true)).toBeUndefined();
    expect(await judged('EQ', [twice, none, twice, none], true)).toBeUndefined();
    expect((await judged('EQ', [twice], true))?.difference).toMatchObject({ record: 'sgt/a' });
  });
});

it('waits for a record that a list lacks just behind its write, although the first write showed at once', async () => {
  const session = sessionOf(0, async (again) => (await again()) ?? again());
  Object.assign(session.context.run, { dialect: () => 0 });
  note(session, { kind: 'create', family: 'sgt', id: 'a', sent: { name: 'a' }, form: 'json', end: 'done' });
  session.touched.clear();
  const shown = [list([[]])];
  expect(await settled(session, async () => shows(shown.pop() ?? list([['a']])))).toBeUndefined();
});

it('a read that shows another record once is wrong, however late writes show', async () => {
  const session = sessionOf(0, async (again) => again());
  note(session, { kind: 'create', family: 'sgt', id: 'a', sent: { name: 'a' }, form: 'json', end: 'done' });
  const ids = ['b'];
  const question = { window: 'read', family: 'sgt', id: 'a', form: 'json' } as const;
  const found = await settled(session, async () => {
    const record = { id: ids.pop() ?? 'a', name: 'a' };
    return { question, shown: { status: 200, form: 'json', record } } as unknown as Awaited<ReturnType<typeof shows>>;
  });
  expect(found?.difference.about.subject).toBe('member id');
});

it('does not learn the number from before as the one that was generated', async () => {
  const session = aSession({ context: { send: async () => answerOf({ Sgt: { id: '1', value: 9 } }, 'read') } });
  const write = { family: 'sgt', id: '1', form: 'json', end: 'done' } as const;
  note(session, { ...write, kind: 'create', sent: { value: 9 } });
  note(session, { ...write, kind: 'update', sent: { value: -1 } });
  await learnGenerated(session, FAMILIES.sgt, '1');
  expect(session.book.get('sgt/1')?.fields['value']).toBe(-1);
});

it('tells of a wrong member beside one that is known to be wrong', async () => {
  const sent = { name: 'a', description: 'text', value: 7 };
  const write = { kind: 'create', family: 'sgt', id: 'a', sent, form: 'json', end: 'done' } as const;
  const known = { family: 'sgt', id: 'a', isLive: true, fields: sent, former: {}, last: write };
  const isKnown: Session['isKnown'] = ({ about }) => about.subject === 'member description';
  const session = aSession({ isKnown, own: 'cfm' });
  session.book.set('sgt/a', known);
  const question = { window: 'read', family: 'sgt', id: 'a', form: 'json' } as const;
  const record = { id: 'a', name: 'a', description: 'lost', value: 8 };
  const found = await settled(session, async () => ({ question, shown: { status: 200, form: 'json', record } }));
  expect(found?.difference.about.subject).toBe('member value');
});

it('waits as long as a write beside the look takes, and then a window', async () => {
  const right = list([['a', 'b'], ['c']]);
  let looks = 0;
  let windows = 0;
  const session = sessionOf(1, async (again) => {
    windows += 1;
    if (windows === 3) session.count.writing = 0;
    return again();
  });
  const found = await settled(session, async () => {
    looks += 1;
    return shows(looks < 5 ? list([['a', 'b']], 400) : right);
  });
  expect([found, windows]).toEqual([undefined, 4]);
});

it('waits for a write that has ended beside the looks after they had become right', async () => {
  const [right, wrong] = [list([['a', 'b'], ['c']]), list([['a', 'b']], 400)];
  const shown = [wrong, right, wrong, wrong];
  const session = sessionOf(0, async (again) => (await again()) ?? (await again()) ?? again());
  const found = await settled(session, async () => {
    const next = shown.shift() ?? right;
    if (shown.length === 1) session.anc.history.push({ kind: 'clear', address: 'a', end: 'done' });
    return shows(next);
  });
  expect(found).toBeUndefined();
});

it('waits for what another session wrote just before, if the target shows writes late', async () => {
  const [right, wrong] = [list([['a', 'b'], ['c']]), list([['a', 'b']], 400)];
  const found = async (movedMs: () => number) => {
    const shown = [wrong, right, wrong];
    const session = sessionOf(0, async (again) => (await again()) ?? (await again()) ?? again());
    Object.assign(session.context.ledger, { movedMs });
    Object.assign(session.context.run, { dialect: () => 300 });
    return (await settled(session, async () => shows(shown.shift() ?? right)))?.difference.about.unsteady;
  };
  expect(await found(() => performance.now() - 400)).toBeUndefined();
  expect(await found(() => performance.now() - 800)).toBe('by turns');
});

it('waits for no write whose own look it is', async () => {
  const session: Session = { ...sessionOf(1, async (again) => again()), isWriter: true };
  const found = await settled(session, async () => shows(list([['a', 'b']], 400)));
  expect([found, session.count.writing]).toEqual([undefined, 1]);
});

it('waits a few whole windows in vain, and then less', async () => {
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  const session = sessionOf(0, async (again) => {
    for (let waited = 0; waited < 100; waited += 1) {
      const value = await again();
      if (value !== undefined) return value;
      nowMs += 8;
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

it.each([
  [0, 300],
  [3, 3000],
])(
  'a wait is over once a look was sent at its end, and not once one came back (after %i in vain)',
  async (inVain, ms) => {
    const eventually = poller({ clock: systemClock, visibilityMs: ms, signal: new AbortController().signal });
    const session = sessionOf(0, eventually);
    Object.assign(session.count, { inVain, helpedMs: 100 });
    let looks = 0;
    const look = async () => {
      await systemClock.sleep(400);
      looks += 1;
      return looks === 2 || undefined;
    };
    expect(await patient(session)(look)).toBe(true);
  },
);
