import { describe, expect, it } from 'vitest';
import { doOthersWrite, learnTheirs, missedOther, noticeOthers } from '../../../../conformance/driver/others.ts';
import type { Session } from '../../../../conformance/driver/session.ts';
import { TargetError } from '../../../../lib/errors.ts';
import { answerOf, aSession, listAnswer } from '../../../helpers/a-session.ts';

/** A session on a family whose list shows these ids, one answer after the other. */
function answering(...answers: readonly (readonly string[])[]): Session {
  let asked = 0;
  const eventually = async (look: () => Promise<unknown>) => {
    while (asked < answers.length) await look();
    return undefined;
  };
  const context = {
    family: { name: 'sgt', ops: ['list'], filters: [], sorts: [] },
    table: {},
    ledger: { standing: (_family: string, id: string) => (id === 'own' ? 'ours' : undefined), writes: () => 0 },
    send: async () => listAnswer((answers[asked++] ?? []).map((id) => ({ id }))),
    eventually,
  };
  return aSession({ context, eventually: eventually as Session['eventually'] });
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
    const { context } = answering();
    const nextPage = { href: 'javascript:alert(1)' };
    const outside = {
      ...context,
      send: async () => answerOf({ SearchResult: { total: 2, resources: [{ id: 'a' }], nextPage } }),
      follow: () => Promise.reject(new TargetError('foreign-link', 'the target sent a link outside')),
      eventually: async (look: () => Promise<unknown>) => look(),
    };
    expect(await doOthersWrite(aSession({ context: outside }))).toBe(false);
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
