import { describe, expect, it } from 'vitest';
import { groundsOf } from '../../../../conformance/driver/grounds.ts';
import { plainestLook } from '../../../../conformance/driver/plainest-look.ts';
import { factsOf } from '../../../../conformance/driver/session.ts';
import { bookOf, type Write } from '../../../../conformance/model/history.ts';
import { judge } from '../../../../conformance/model/judge.ts';
import type { ListObservation, Observation } from '../../../../conformance/model/observation.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { HistoryRecord } from '../../../../lib/records/histories.ts';
import { answerOf, aSession, listAnswer } from '../../../helpers/a-session.ts';
import { by, create, judged, list, remove, update } from '../../../helpers/histories.ts';

const made = (...ids: readonly string[]) => ids.map((id) => create({ name: `n${id}`, description: 'old' }, { id }));
const HISTORY = [...made('a', 'b', 'c'), update({ name: 'nc', description: 'new' }, { id: 'c' })];

/** What reads show beside what was written, lists with filters, and lists without. */
interface Shows {
  readonly read?: object;
  readonly filtered?: readonly string[];
  readonly all?: readonly string[];
}

/** The difference that is told of a list, by what other looks show. */
async function toldOf(history: readonly Write[], seen: ListObservation, shows: Shows, facts = {}) {
  const book = new Map(bookOf(history, FAMILIES));
  const { read = {}, filtered = [...book.values()].map(({ id }) => id), all = filtered } = shows;
  const send = async (op: string, { id, list: asked }: { id?: string; list?: { filters?: unknown[] } }) => {
    if (op === 'read') return answerOf({ Sgt: { id, ...book.get(`sgt/${id}`)?.fields, ...read } });
    const ids = (asked?.filters?.length ?? 0) === 0 ? all : filtered;
    return listAnswer(ids.map((each) => ({ id: each, name: `n${each}` })));
  };
  const labels = new Map([['subject', 'sgt/c']]);
  const session = aSession({ book, history: [...history], own: 'n', labels, context: { send } });
  const difference = judged(history, seen, { latest: undefined, ...facts });
  return difference && (await plainestLook(session, { difference, seen }, async () => seen)).difference;
}

async function named(seen: ListObservation, shows: Shows = {}) {
  const difference = await toldOf(HISTORY, seen, shows);
  return difference && `${difference.requirement} ${difference.about.subject}`;
}

const filtered = (pages: string[][]) => list({ ...by('name.STARTSW.n'), size: 2 }, pages) as ListObservation;

describe('the plainest look that shows a fault', () => {
  it('is the read, if the read shows what the entry of a list shows', async () => {
    const entry = { id: 'c', record: { id: 'c', name: 'nc', description: 'old' } };
    const seen = list({}, [['a', 'b', entry]]) as ListObservation;
    expect(await named(seen)).toBe('SVC-1 member description');
    expect(await named(seen, { read: { description: 'old' } })).toBe('PAY-U member description');
  });

  it.each<[string, string, Shows]>([
    ['the filter by itself', 'FOP-STARTSW filter name.STARTSW', { filtered: ['a', 'b'], all: ['a', 'b', 'c'] }],
    ['the list, which lacks the record without a filter too', 'SVC-1 list', { filtered: ['a', 'b'] }],
    ['the way between pages, if the list on one page is right', 'LST-NEXT pages', {}],
  ])('is %s', async (_, difference, shows) => {
    expect(await named(filtered([['a', 'b']]), shows)).toBe(difference);
  });

  it('is the one filter without filterType, if that shows it too', async () => {
    const seen = list({ ...by('name.STARTSW.n'), join: 'or' }, 'ab') as ListObservation;
    expect(await named(seen, { filtered: ['a', 'b'], all: ['a', 'b', 'c'] })).toBe('FOP-STARTSW filter name.STARTSW');
  });

  it('is the way between pages, if a link leaves out a part of the query and no list is on one page', async () => {
    const paths = ['?filter=name.STARTSW.n&filterType=or&size=2', '?filter=name.STARTSW.n&size=2&page=2'];
    const exchanges = paths.map((path) => ({ request: { op: 'list', path } }));
    const seen = list({ ...by('name.STARTSW.n'), size: 5 }, [['a', 'b']]) as ListObservation;
    expect(await named(seen)).toBe('FOP-STARTSW filter name.STARTSW');
    const counted = { ...seen, shown: { ...seen.shown, total: 3 } };
    expect(await named(counted)).toBe('LST-NEXT filter name.STARTSW');
    expect(await named({ ...seen, exchanges } as ListObservation)).toBe('LST-NEXT pages');
  });
});

it.each([
  ['LST-SORT', 'ac de fb'],
  ['LST-NEXT', 'ab fe dc'],
])(
  'a list that is wrong on its pages breaks %s: one record alone is out of order, or all of a later page',
  (requirement, pages) => {
    const seen = list({ sort: { field: 'name', descending: false }, size: 2 }, pages);
    expect(judged(made(...'abcdef'), seen, { latest: undefined })?.requirement).toBe(requirement);
  },
);

const deleted = [...made('a', 'b'), remove({}, { id: 'b' })];
const renamed = [create({ name: 'old' }), update({ name: 'new' })];

it.each([
  [deleted, 'name.EQ.nb', 'b', { record: 'b', times: 1, state: 'deleted' }],
  [renamed, 'name.EQ.old', 'a', { record: 'a', times: 1, state: 'former' }],
  [renamed, 'name.EQ.new', '', { record: 'a', times: 0, state: 'former' }],
  [renamed, 'name.EQ.other', 'a', { record: 'a', times: 1, state: undefined }],
] as const)(
  'a list that shows what was before a write says so of a record that was deleted, and of one that was updated: %#',
  (history, filter, shown, about) => {
    const { record, times, state } = judged(history, list(by(filter), shown), { latest: undefined })?.about ?? {};
    expect({ record, times, state }).toEqual(about);
  },
);

const making = (id: string, more: object = {}): Write => create({ name: id, ...more }, { id });

const listOf = (...ids: readonly string[]): Observation => ({
  question: { window: 'list', family: 'sgt', filters: [] },
  shown: { pages: [ids.map((id) => ({ id, record: { name: id, description: 'of somebody' } }))], end: 'whole' },
});

const readOf = (id: string, shown: object) =>
  ({ question: { window: 'read', family: 'sgt', id, form: 'json' }, shown: { form: 'json', ...shown } }) as Observation;

function grounds(history: readonly Write[], seen: Observation) {
  const session = aSession({ history: [...history], book: new Map(bookOf(history, FAMILIES)), own: 'mine' });
  const difference = judge(session.book, seen, factsOf(session));
  if (difference === undefined) throw new Error('no difference');
  return groundsOf(session, seen, difference);
}

it('a record that is gone was taken away by the delete before, unless another write was refused since', () => {
  const history = [making('gone'), making('here'), { ...making('gone'), kind: 'delete' } as const];
  const seen = readOf('here', { status: 404 });
  const blamed = [204, 400].map((status) => {
    const sent = [{ ...answerOf({}), status, request: { method: 'POST' } }] as never;
    const session = aSession({ history, book: new Map(bookOf(history, FAMILIES)), sent });
    return judge(session.book, seen, factsOf(session))?.about.operation;
  });
  expect(blamed).toEqual(['delete', 'read']);
});

describe('what a difference rests on', () => {
  it('is the writes to the records that are shown, or that a list may lack', () => {
    const gone: Write = { ...making('gone'), kind: 'delete', sent: {} };
    const found = grounds([making('gone'), gone, making('here'), making('lacking')], listOf('here', 'theirs'));
    expect(found?.writes.map(({ id }) => id)).toEqual(['here', 'lacking']);
  });

  it('holds no member of a record that somebody else made', () => {
    const found = grounds([making('lacking')], listOf('theirs'));
    expect(JSON.stringify(found)).not.toContain('of somebody');
    expect(found?.observation).toMatchObject({ shown: { pages: [[{ id: 'theirs', record: {} }]] } });
  });

  it('cuts long texts so that they still differ', () => {
    const long = 'a'.repeat(5000);
    const seen = readOf('one', { status: 200, record: { id: 'one', name: 'one', description: `${long}b` } });
    const found = grounds([making('one', { description: `${long}c` })], seen);
    expect(found).toBeDefined();
    expect(JSON.stringify(found).length).toBeLessThan(5000);
  });

  it('is within the bounds of the record, or nothing', () => {
    const many = Array.from({ length: 300 }, (_, at) => `theirs ${at}`);
    const found = grounds([making('lacking')], listOf(...many));
    expect(HistoryRecord.safeParse({ checkId: 'a/b', family: 'sgt', ...found }).success).toBe(true);
    const own = Array.from({ length: 201 }, (_, at) => making(`own ${at}`));
    expect(grounds(own, listOf())).toBeUndefined();
  });
});
