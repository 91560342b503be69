import { describe, expect, it } from 'vitest';
import { plainest } from '../../../../conformance/driver/plainest.ts';
import type { Session } from '../../../../conformance/driver/session.ts';
import { bookOf } from '../../../../conformance/model/history.ts';
import { judge } from '../../../../conformance/model/judge.ts';
import type { ListObservation } from '../../../../conformance/model/observation.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { by, create, list, remove, update } from '../../../helpers/histories.ts';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const HISTORY = IDS.map((id) => create({ name: `n${id}` }, { id }));
const FACTS = { table: FAMILIES, largestPage: undefined, caseRule: undefined };

/** What a failure is about that a list shows in these pages, and on one page not. */
async function aboutPages(pages: string[][]) {
  const book = bookOf(HISTORY, FAMILIES);
  const entries = IDS.map((id) => ({ id, name: `n${id}` }));
  const json = { SearchResult: { total: IDS.length, resources: entries } };
  const send = async (op: string, { id = '' }: { id?: string }) => {
    const shown = op === 'read' ? { Sgt: { id, name: `n${id}` } } : json;
    return { status: 200, json: shown, body: JSON.stringify(shown), headers: {}, request: { op, path: '' } };
  };
  const ledger = { standing: () => 'ours', writes: () => 0, leftAlone: () => [] };
  const run = { dialect: () => undefined, needsCsrf: () => false };
  const session = {
    ...{ book, history: HISTORY, own: 'n', labels: new Map(), touched: new Set() },
    lessons: { taken: new Set(), undecided: new Set(), links: new Map() },
    count: { comparisons: 0, tally: new Map(), flying: 0, writing: 0, largestPage: 0, inVain: 0 },
    anc: { holdings: new Map(), read: new Map() },
    context: { table: FAMILIES, family: FAMILIES.sgt, ledger, run, send },
  } as unknown as Session;
  const seen = list({ sort: { field: 'name', descending: false }, size: 2 }, pages) as ListObservation;
  const difference = judge(book, seen, FACTS);
  return difference && (await plainest(session, { difference, seen }, async () => seen)).difference.about;
}

describe('a list that is wrong on its pages', () => {
  it.each<[number | undefined, string[][]]>([
    [
      1,
      [
        ['b', 'c'],
        ['c', 'd'],
        ['e', 'f'],
      ],
    ],
    [
      2,
      [
        ['a', 'b'],
        ['d', 'e'],
        ['e', 'f'],
      ],
    ],
    [2, [['a', 'b'], ['c'], ['e', 'f']]],
  ])('tells the first page that is: %s', async (page, pages) => {
    expect((await aboutPages(pages))?.page).toBe(page);
  });
});

describe('a list that shows what was before a write', () => {
  const about = (
    ...[history, question, shown]: [Parameters<typeof bookOf>[0], Parameters<typeof list>[0], string[]]
  ) => {
    const { record, times, state } = judge(bookOf(history, FAMILIES), list(question, [shown]), FACTS)?.about ?? {};
    return { record, times, state };
  };

  it('says so of a record that was deleted, and of one that was updated', () => {
    const deleted = [...HISTORY, remove({}, { id: 'b' })];
    const renamed = [create({ name: 'old' }), update({ name: 'new' })];
    expect(about(deleted, by('name.EQ.nb'), ['b'])).toEqual({ record: 'b', times: 1, state: 'deleted' });
    expect(about(renamed, by('name.EQ.old'), ['a'])).toEqual({ record: 'a', times: 1, state: 'former' });
    expect(about(renamed, by('name.EQ.new'), [])).toEqual({ record: 'a', times: 0, state: 'former' });
    expect(about(renamed, by('name.EQ.other'), ['a'])).toEqual({ record: 'a', times: 1, state: undefined });
  });
});
