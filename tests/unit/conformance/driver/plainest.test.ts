import { describe, expect, it } from 'vitest';
import { plainest } from '../../../../conformance/driver/plainest.ts';
import type { Session } from '../../../../conformance/driver/session.ts';
import { bookOf } from '../../../../conformance/model/history.ts';
import { judge } from '../../../../conformance/model/judge.ts';
import type { ListObservation } from '../../../../conformance/model/observation.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { by, create, list, update } from '../../../helpers/histories.ts';

const answer = (json: object) => ({
  ...{ status: 200, json, body: JSON.stringify(json), headers: {}, request: { op: 'list', path: '' } },
});

const HISTORY = [
  ...['a', 'b', 'c'].map((id) => create({ name: `n${id}`, description: 'old' }, { id })),
  update({ name: 'nc', description: 'new' }, { id: 'c' }),
];
const book = bookOf(HISTORY, FAMILIES);

/** The requirement that is named for a list that shows this, if reads show `read` and lists on one page show `whole`. */
async function named(
  seen: ListObservation,
  { read = {}, whole = [['a', 'b', 'c']], all = whole[0] ?? [] }: { read?: object; whole?: string[][]; all?: string[] },
) {
  const session = {
    ...{ book, history: HISTORY, own: 'n', labels: new Map([['subject', 'sgt/c']]), touched: new Set() },
    lessons: { taken: new Set(), undecided: new Set(), links: new Map() },
    count: { comparisons: 0, tally: new Map(), flying: 0, writing: 0, largestPage: 0, inVain: 0 },
    anc: { holdings: new Map(), read: new Map() },
    context: {
      ...{
        table: FAMILIES,
        family: FAMILIES.sgt,
        ledger: { standing: () => 'ours', writes: () => 0, leftAlone: () => [] },
      },
      run: { dialect: () => undefined, needsCsrf: () => false },
      send: async (op: string, { id, list }: { id?: string; list?: { filters?: unknown[] } }) => {
        const known = book.get(`sgt/${id}`);
        if (op === 'read') return answer({ Sgt: { id, ...known?.fields, ...read } });
        const shown = (list?.filters?.length ?? 0) === 0 ? all : (whole[0] ?? []);
        const resources = shown.map((each) => ({ id: each, name: `n${each}` }));
        return answer({ SearchResult: { total: resources.length, resources } });
      },
    },
  } as unknown as Session;
  const difference = judge(book, seen, { table: FAMILIES, largestPage: undefined, caseRule: undefined });
  if (difference === undefined) return undefined;
  const found = await plainest(session, { difference, seen }, async () => seen);
  return `${found.difference.requirement} ${found.difference.about.subject}`;
}

const filtered = (pages: string[][]) => list({ ...by('name.STARTSW.n'), size: 2 }, pages) as ListObservation;

describe('the plainest look that shows a fault', () => {
  it('is the read, if the read shows what the entry of a list shows', async () => {
    const entry = { id: 'c', record: { id: 'c', name: 'nc', description: 'old' } };
    const seen = list({}, [['a', 'b', entry]]) as ListObservation;
    expect(await named(seen, {})).toBe('SVC-1 member description');
    expect(await named(seen, { read: { description: 'old' } })).toBe('PAY-U member description');
  });

  it('is the filter by itself, if the filtered list on one page lacks the record too', async () => {
    const whole = [['a', 'b']];
    expect(await named(filtered([['a', 'b']]), { whole, all: ['a', 'b', 'c'] })).toBe(
      'FOP-STARTSW filter name.STARTSW',
    );
  });

  it('is the list, if that lacks the record without a filter too', async () => {
    expect(await named(filtered([['a', 'b']]), { whole: [['a', 'b']] })).toBe('SVC-1 list');
  });

  it('is the way between pages, if the list on one page is right', async () => {
    expect(await named(filtered([['a', 'b']]), {})).toBe('LST-NEXT pages');
  });

  it('is the way between pages, if a link leaves out a part of the query and no list is on one page', async () => {
    const paths = ['?filter=name.STARTSW.n&filterType=or&size=2', '?filter=name.STARTSW.n&size=2&page=2'];
    const exchanges = paths.map((path) => ({ request: { op: 'list', path } }));
    const seen = list({ ...by('name.STARTSW.n'), size: 5 }, [['a', 'b']]) as ListObservation;
    expect(await named(seen, {})).toBe('FOP-STARTSW filter name.STARTSW');
    expect(await named({ ...seen, exchanges } as ListObservation, {})).toBe('LST-NEXT pages');
  });
});
