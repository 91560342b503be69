import { describe, expect, it } from 'vitest';
import { doOthersWrite, missedOther, noticeOthers } from '../../../../conformance/driver/others.ts';
import { learnTheirs } from '../../../../conformance/driver/theirs.ts';
import { TargetError } from '../../../../lib/errors.ts';

/** A session on a family whose list shows these ids, one answer after the other. */
function answering(...answers: readonly (readonly string[])[]): Parameters<typeof doOthersWrite>[0] {
  let asked = 0;
  const context = {
    family: { name: 'sgt', ops: ['list'], filters: [], sorts: [] },
    table: {},
    run: { dialect: () => undefined, needsCsrf: () => false },
    follow: () => undefined,
    ledger: { standing: (_family: string, id: string) => (id === 'own' ? 'ours' : undefined), writes: () => 0 },
    send: async () => {
      const ids = answers[asked++] ?? [];
      return { status: 200, json: { SearchResult: { total: ids.length, resources: ids.map((id) => ({ id })) } } };
    },
    eventually: async (look: () => Promise<unknown>) => {
      while (asked < answers.length) await look();
    },
  };
  return {
    ...{ context, book: new Map(), history: [], touched: new Set(), eventually: context.eventually },
    anc: { holdings: new Map(), read: new Map() },
    count: { largestPage: 0 },
    others: { shown: undefined, gone: new Set(), isGrowing: false, there: new Set() },
    told: { shown: 0, absent: 0 },
    lessons: { taken: new Set(), undecided: new Set(), links: new Map() },
  } as never;
}

describe('whether others write', () => {
  it('is told by a record that comes or goes for good', async () => {
    expect(await doOthersWrite(answering(['a'], ['a'], ['a', 'b'], ['a', 'b']))).toBe(true);
    expect(await doOthersWrite(answering(['a', 'b'], ['a'], ['a'], ['a']))).toBe(true);
  });

  it('is not told by a record of ours, nor by one that a list hides now and then', async () => {
    expect(await doOthersWrite(answering(['a'], ['a', 'own'], ['a', 'own'], ['a', 'own']))).toBe(false);
    expect(await doOthersWrite(answering(['a', 'b'], ['a'], ['a', 'b'], ['a']))).toBe(false);
    expect(await doOthersWrite(answering(['a'], ['a'], ['a'], ['a']))).toBe(false);
  });

  it('is not told by a list whose link leads elsewhere', async () => {
    const session = answering(['a'], ['a']) as unknown as { context: Record<string, unknown>; isKnown: unknown };
    session.isKnown = () => false;
    session.context['send'] = async () => ({
      status: 200,
      json: { SearchResult: { total: 2, resources: [{ id: 'a' }], nextPage: { href: 'javascript:alert(1)' } } },
    });
    session.context['follow'] = async () => {
      throw new TargetError('foreign-link', 'the target sent a link outside');
    };
    session.context['eventually'] = async (look: () => Promise<unknown>) => look();
    expect(await doOthersWrite(session as never)).toBe(false);
  });
});

describe('what is learned of the records of others', () => {
  it('leaves out those of the run: another sequence may remove them at any time', async () => {
    const session = answering(['a', 'own', 'b']);
    (session.context as { table: unknown }).table = { sgt: session.context.family };
    await learnTheirs(session);
    expect([...session.book.values()].map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

/** The whole list of everything in the family, on one page. */
const listOf = (...ids: readonly string[]) => ({
  question: { window: 'list', family: 'sgt', filters: [] } as const,
  shown: { pages: [ids.map((id) => ({ id, record: {} }))], end: 'whole' } as const,
});

describe('lists that the run looks at', () => {
  const afterLooks = async (...lists: readonly (readonly string[])[]) => {
    const session = answering();
    for (const ids of lists) noticeOthers(session, listOf(...ids));
    return doOthersWrite(session);
  };

  it('tell that others wrote if a record is new, or gone for good', async () => {
    expect(await afterLooks(['a'], ['a', 'b'], ['a'])).toBe(true);
    expect(await afterLooks(['a', 'b'], ['b'])).toBe(true);
  });

  it('tell nothing of others if a record is back', async () => {
    expect(await afterLooks(['a', 'b'], ['b'], ['a', 'b'])).toBe(false);
  });
});

describe('a record of others that a list lacks', () => {
  const missed = (...later: readonly string[]) => {
    const session = answering();
    for (const id of ['a', 'b']) session.others.there.add(id);
    return missedOther(session, listOf('b'), async () => listOf(...later));
  };

  it('was missed if it is there later', async () => {
    expect((await missed('a', 'b'))?.expected).toMatch(/^the record a,/);
  });

  it('was removed if it is not', async () => {
    expect(await missed('b')).toBeUndefined();
  });
});
