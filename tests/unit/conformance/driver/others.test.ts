import { describe, expect, it } from 'vitest';
import { doOthersWrite } from '../../../../conformance/driver/others.ts';
import { learnTheirs } from '../../../../conformance/driver/theirs.ts';

/** A session on a family whose list shows these ids, one answer after the other. */
function answering(...answers: readonly (readonly string[])[]): Parameters<typeof doOthersWrite>[0] {
  let asked = 0;
  const context = {
    family: { name: 'sgt', ops: ['list'], filters: [], sorts: [] },
    table: {},
    run: { dialect: () => undefined, needsCsrf: () => false },
    follow: () => undefined,
    ledger: { standing: (_family: string, id: string) => (id === 'own' ? 'ours' : undefined) },
    send: async () => {
      const ids = answers[asked++] ?? [];
      return { status: 200, json: { SearchResult: { total: ids.length, resources: ids.map((id) => ({ id })) } } };
    },
    eventually: async (look: () => Promise<unknown>) => {
      while (asked < answers.length) await look();
    },
  };
  return {
    ...{ context, book: new Map(), history: [], touched: new Set() },
    anc: { holdings: new Map() },
    count: { largestPage: 0 },
    others: { shown: undefined, changes: 0 },
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
});

describe('what is learned of the records of others', () => {
  it('leaves out those of the run: another sequence may remove them at any time', async () => {
    const session = answering(['a', 'own', 'b']);
    (session.context as { table: unknown }).table = { sgt: session.context.family };
    await learnTheirs(session);
    expect([...session.book.values()].map(({ id }) => id)).toEqual(['a', 'b']);
  });
});
