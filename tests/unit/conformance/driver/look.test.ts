import { describe, expect, it } from 'vitest';
import { askRead } from '../../../../conformance/driver/ask.ts';
import { apart, lookAt, lookFirst } from '../../../../conformance/driver/look.ts';
import { MOMENT } from '../../../../conformance/driver/open-session.ts';
import { DifferenceFound, NotDone, type Session } from '../../../../conformance/driver/session.ts';
import { together } from '../../../../conformance/driver/together.ts';
import { type Known, keyOf, type Write } from '../../../../conformance/model/history.ts';
import { create, read, remove, update } from '../../../../conformance/plans/make.ts';
import { type Look, PLAIN, type Step } from '../../../../conformance/steps/step.ts';
import { openRegistry } from '../../../../lib/client/safety/registry.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { answerOf, aSession } from '../../../helpers/a-session.ts';

const family = FAMILIES.hotspotportal;
const SIZE = 2;

type Writing = (change: () => void) => void;

/**
 * Reads a list of six records that the session wrote, two on a page, which writes one of them again behind the first page. `meanwhile` is done then,
 * once: `write` is a write of another session of the run. Gives the difference that ends the look.
 */
async function reading(meanwhile: (write: Writing, ids: string[]) => void): Promise<unknown> {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const known = (id: string): Known =>
    ({ family: family.name, id, fields: { name: id }, former: {}, isLive: true, last: { kind: 'create' } }) as never;
  const book = new Map(ids.map((id) => [keyOf(family.name, id), known(id)]));
  const clock = { monotonicMs: () => 0 } as never;
  const registry = openRegistry({ runId: 'test', table: FAMILIES, onJournal: () => undefined } as never, clock);
  const write: Writing = (change) => {
    registry.moves(family.name);
    change();
    registry.moves(family.name);
  };
  const sent: unknown[] = [];
  const answer = (op: string, json?: unknown) => {
    const request = { family: family.name, op, method: op === 'update' ? 'PUT' : 'GET' };
    sent.push({ request });
    return { id: String(sent.length), request, status: 200, json, headers: {}, body: '' };
  };
  const page = (number: number) => {
    const shown = ids.slice((number - 1) * SIZE, number * SIZE);
    const next = number * SIZE < ids.length ? { nextPage: { href: String(number + 1) } } : {};
    const resources = shown.map((id) => ({ id, name: id }));
    return answer('list', { SearchResult: { total: ids.length, resources, ...next } });
  };
  let isDone = false;
  const send = async (op: string, { id = '' } = {}) => {
    if (op === 'list') return page(1);
    if (op !== 'update') return answer(op, { HotspotPortal: { id, name: id } });
    write(() => undefined);
    if (!isDone) meanwhile(write, ids);
    isDone = true;
    return answer(op);
  };
  const session = aSession({
    context: {
      ...{ family, send, follow: async (href: string) => page(Number(href)) },
      ledger: { writes: registry.writes, standing: () => 'ours', leftAlone: () => [] },
      run: { needsCsrf: () => false, dialect: (asked: string) => (asked === 'visibility.delay-ms' ? 0 : undefined) },
    },
    ...{ sent: sent as Session['sent'], book, eventually: async (again) => (await again()) ?? again() },
  });
  const query = { criteria: [], size: SIZE, pages: 9, paging: 'link' } as const;
  const look: Look = { window: 'list', on: 'own', about: 'a', between: 'update', carried: PLAIN, query };
  return lookAt(session, look).then(
    () => undefined,
    (fault: DifferenceFound) => fault.difference,
  );
}

it('excuses a list that lacks records if another session of the run wrote between two pages, beside a write of its own', async () => {
  const removed = (write: Writing, ids: string[]) => write(() => ids.splice(0, 3));
  expect(await reading(removed)).toBeUndefined();
});

it('accuses a list that lacks records if only the session itself wrote between two pages', async () => {
  const lost = (_write: Writing, ids: string[]) => ids.splice(0, 3);
  const record = expect.stringContaining(family.name);
  expect(await reading(lost)).toMatchObject({ requirement: `OP-${family.name}-L`, record });
});

const KEY = keyOf(family.name, 'a');

/** A session that made the record `subject` with one portal type, whose reads show another; the operations that were sent. */
function session(shown: string, { isProven = false, looked = [] as readonly string[] } = {}) {
  const sent: string[] = [];
  const write: Write = { kind: 'create', family: family.name, id: 'a', sent: {}, form: 'json', end: 'done' };
  const fields = { name: 'n', portalType: 'SPONSOREDGUEST' };
  const send = async (op: string, { id }: { readonly id?: string } = {}) => {
    sent.push(op);
    return answerOf({ HotspotPortal: { id, name: 'n', portalType: shown } }, op);
  };
  const ledger = { writes: () => 0, standing: () => 'ours', leftAlone: () => [], isProven: () => isProven };
  const on = aSession({
    context: { family, send, ledger },
    ...{ history: [write], labels: new Map([['subject', KEY]]), looked: new Set(looked) },
    book: new Map([[KEY, { family: family.name, id: 'a', fields, former: {}, isLive: true, last: write }]]),
  });
  return { on, sent };
}

const bulk = (action: 'create' | 'update' | 'delete'): Step => ({
  ...{ step: 'bulk', action, form: 'json', who: ['subject'], sets: [{}] },
});

describe('a record that is about to be written to', () => {
  it.each([update('subject'), remove('subject'), bulk('update'), bulk('delete')])(
    'is read, and what the read shows is judged: %#',
    async (step) => {
      const { on, sent } = session('HOTSPOTGUEST');
      const about = { operation: 'create', subject: 'member portalType' };
      await expect(lookFirst(on, step)).rejects.toMatchObject({ difference: { requirement: 'PAY-C', about } });
      expect(new Set(sent)).toEqual(new Set(['read']));
    },
  );

  it.each([
    ['is read', ['read'], {}],
    ['is read once, in the place of the read that the client sends', [], { isProven: true, looked: [KEY] }],
    ['is read again if the client would read it', ['read'], { looked: [KEY] }],
  ])('%s', async (_, expected, known) => {
    const { on, sent } = session('SPONSOREDGUEST', known);
    await lookFirst(on, update('subject'));
    expect([sent, on.looked]).toEqual([expected, new Set([KEY])]);
  });
});

it('reads nothing before a create', async () => {
  const { on, sent } = session('HOTSPOTGUEST');
  for (const step of [create('other'), bulk('create')]) await lookFirst(on, step);
  expect(sent).toEqual([]);
});

it('leaves out, of writes at one time, those to a record that another one writes to, bulk requests among them', () => {
  const { on } = session('');
  expect(apart(on, [bulk('update'), update('subject'), create('other')])).toEqual([bulk('update'), create('other')]);
});

it('leaves out a read by name of a record whose name nobody knows: no request can be made of it', async () => {
  const send = () => Promise.reject(new Error('sent'));
  const session = { book: new Map([['sgt/1', { fields: {} }]]), context: { send } } as unknown as Session;
  const question = { window: 'name', family: 'sgt', id: '1', form: 'json' } as const;
  await expect(askRead(session, question, PLAIN)).rejects.toBeInstanceOf(NotDone);
});

it.each([
  [403, NotDone],
  [404, DifferenceFound],
])('a view that answers a read of a record with %i', async (status, fault) => {
  const { on } = session('SPONSOREDGUEST');
  const send = async () => ({ ...answerOf({}, 'read'), status });
  Object.assign(on.context, { family: FAMILIES.portal, send });
  await expect(lookAt(on, { window: 'view', who: 'subject', form: 'json', carried: PLAIN })).rejects.toBeInstanceOf(
    fault,
  );
});

/** Does the steps at one time on a target that refuses each update for a moment. */
function done(steps: readonly Step[], undecided: readonly string[] = []) {
  const send = async (op: string) => {
    const request = { op, family: 'sgt', method: 'PUT', path: '/ers/config/sgt/1' };
    const answer = { ...answerOf({}, op), request };
    return op === 'update' ? { ...answer, refusedAlone: { ...answer, status: 409 } } : answer;
  };
  const run = { dialect: () => 0, exclusive: (_: string, work: () => unknown) => work() };
  const session = aSession({ context: { send, run } });
  for (const each of undecided) session.lessons.undecided.add(each);
  const perform = async ({ context }: Session, { step }: Step) => void (await context.send(step as 'update'));
  return together(session, steps, perform);
}

it('a write that is refused for a moment beside reads is told, and taken for no fault beside other writes', async () => {
  await expect(done([update('a'), read('b')])).rejects.toThrow(/OP-sgt-U: .*beside reads.*answered 409/);
  await expect(done([update('a'), create('b')])).resolves.toBeUndefined();
  await expect(done([update('a'), read('b')], [MOMENT])).resolves.toBeUndefined();
});

it('of several looks, the last is on its way before the write, and the others wait for it', async () => {
  const order: string[] = [];
  const perform = async (_: Session, step: Step) => {
    if (step.step === 'update') await Promise.resolve();
    order.push(step.step === 'look' && 'who' in step.look ? step.look.who : step.step);
  };
  const session = aSession({ context: { send: async () => undefined } });
  await together(session, [update('a'), read('b'), read('c')], perform);
  expect(order).toEqual(['c', 'update', 'b']);
});
