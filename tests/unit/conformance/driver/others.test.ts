import { describe, expect, it } from 'vitest';
import { doOthersWrite } from '../../../../conformance/driver/others.ts';

/** A session on a family whose list shows these ids, one answer after the other. */
function answering(...answers: readonly (readonly string[])[]): Parameters<typeof doOthersWrite>[0] {
  let asked = 0;
  const context = {
    family: { name: 'sgt', ops: ['list'], filters: [], sorts: [] },
    table: {},
    run: { dialect: () => undefined, needsCsrf: () => false },
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
    context,
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
