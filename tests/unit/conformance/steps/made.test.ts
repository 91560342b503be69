import { describe, expect, it } from 'vitest';
import { leaveEndpoints } from '../../../../conformance/driver/clear-endpoints.ts';
import { endpointOf, noteAnc } from '../../../../conformance/driver/endpoints.ts';
import type { Fields, Known } from '../../../../conformance/model/history.ts';
import { clear } from '../../../../conformance/steps/anc.ts';
import { bulk } from '../../../../conformance/steps/bulk.ts';
import { madeBy, mustBeNew } from '../../../../conformance/steps/made.ts';
import { marked } from '../../../../conformance/steps/names.ts';
import { PLAIN } from '../../../../conformance/steps/step.ts';
import { wrong } from '../../../../conformance/steps/wrong.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { answerOf, aSession, listAnswer } from '../../../helpers/a-session.ts';

const PREFIX = 'cfm0abcdefg';

/** Fields as they are sent, on a target that takes every text. */
function sent(fields: Readonly<Record<string, unknown>>) {
  const values = { adaptAll: (given: object) => given };
  const session = { context: { family: FAMILIES.sgt, run: { prefix: PREFIX, values } } };
  return marked(session as unknown as Parameters<typeof marked>[0], fields);
}

describe('a record whose name does not hold the mark of the run', () => {
  it.each(['', 'word', 'x'.repeat(256)])('has it in its description: %s', (description) => {
    const text = String(sent({ name: 'null', description })['description']);
    expect(text).toMatch(new RegExp(` ${PREFIX}$`));
    expect(text.length).toBeLessThanOrEqual(Math.max(256, description.length));
  });

  it.each([
    { name: `${PREFIX}1`, description: 'word' },
    { name: `${PREFIX}1`.toUpperCase(), description: '' },
    { name: 'true', description: `of ${PREFIX}` },
  ])('is the only one that is changed, not %j', (fields) => {
    expect(sent(fields)).toEqual(fields);
  });
});

const session = (name: string, isLive: boolean | undefined) =>
  aSession({ book: new Map([['sgt/1', { family: 'sgt', id: '1', isLive, fields: { name } } as unknown as Known]]) });

const create = (name: string, over: string, isLive: boolean | undefined) =>
  mustBeNew(session(over, isLive), FAMILIES.sgt, '1', { name });

describe('a create that is answered with the id of a record', () => {
  it('is wrong if that is there under another name', () => {
    expect(() => create('one+7', 'one+%', true)).toThrow(/RES-ID.*record of its own/);
  });

  it.each([
    ['is gone', 'one', 'other', false],
    ['may be gone', 'one', 'other', undefined],
    ['has the name', 'one', 'one', true],
    ['has the name in other letters', 'One \u00e9', 'one e', true],
  ])('is open if that %s', (_why, name, over, isLive) => {
    expect(() => create(name, over, isLive)).not.toThrow();
  });
});

it.each([
  ['beside the record of that name', ['1', '2'], ['2']],
  ['alone: it may be what an earlier create made, which was answered with another id', ['2'], []],
])('a refused create made what is listed %s', async (_, ids, made) => {
  const known = session('one', true);
  known.lessons.books.add(known.book);
  const send = async () => listAnswer(ids.map((id) => ({ id, name: 'one' })));
  Object.assign(known.context, { send, ledger: { ...known.context.ledger, adopt: () => true } });
  expect(await madeBy(known, FAMILIES.sgt, 'one')).toEqual(made);
});

/** An update that is wrong in one thing, answered 400, with what a read shows of the record then. */
function refused(shows: (sent: Fields) => Fields): Promise<void> {
  const fields = { name: 'one', description: 'text' };
  const id = '1';
  let sent: Fields = {};
  const send = async (op: string, input: { readonly fields: Fields }) => {
    if (op === 'read') return answerOf({ Sgt: { id, ...shows(sent) } }, op);
    sent = input.fields;
    return { ...answerOf({}, op), status: 400 };
  };
  const known = { family: 'sgt', id, isLive: true, fields, former: {} } as unknown as Known;
  const run = { prefix: PREFIX, values: { samples: () => ({}) } };
  const session = aSession({
    ...{ serial: () => '7', book: new Map([['sgt/1', known]]), labels: new Map([['subject', 'sgt/1']]) },
    context: { send, run },
  });
  return wrong(session, { step: 'wrong', request: 'update out of bounds', who: 'subject' });
}

describe('an update that is refused for one member', () => {
  it.each(['name', 'description'])('must not store its %s', async (member) => {
    await expect(refused((sent) => ({ [member]: sent[member] }))).rejects.toThrow(/no change by an update.*refused/);
  });

  it('is right if the record is as it was', async () => {
    await expect(refused(() => ({ name: 'one', description: 'text' }))).resolves.toBeUndefined();
  });
});

it('what a create said that was refused is known to be of no record', async () => {
  const known = session('one', true);
  const send = async () => ({ ...answerOf({}, 'create'), status: 400 });
  Object.assign(known.context, { send, run: { mayCreate: () => true }, payload: () => ({ description: 'text' }) });
  await wrong(known, { step: 'wrong', request: 'create taken', who: 'subject' });
  expect(known.history).toMatchObject([{ sent: { description: 'text' }, end: 'refused' }]);
});

interface Sent {
  readonly fields?: Fields;
  readonly bulk?: { readonly records: readonly Fields[] };
  readonly list?: { readonly filters: readonly { readonly value: string }[] };
}

let serial = 0;

/** A target that does one bulk request at a time. */
const contextOf = (send: unknown) => ({
  ...{ send, follow: send },
  eventually: async (look: () => Promise<unknown>) => look(),
  run: {
    ...{ prefix: 'one', values: { adaptAll: (given: object) => given, samples: () => ({}), takes: () => true } },
    ...{ dialect: () => undefined, needsCsrf: () => false },
    exclusive: (_: string, work: () => unknown) => work(),
    shared: (_: string, make: () => unknown) => make(),
  },
  ledger: {
    standing: (_: string, id: string) => (id === '1' ? 'ours' : undefined),
    adopt: () => true,
    endsBulk: () => undefined,
  },
});

/** A bulk update of one record to `false`, done as its monitor says, with what a read shows of the record then. */
function updated(shows: object): Promise<void> {
  const id = '1';
  const send = async (op: string) =>
    op === 'read'
      ? answerOf({ Sgt: { id, name: 'one', ...shows } }, op)
      : {
          ...answerOf({ BulkStatus: { bulkId: '7', executionStatus: 'COMPLETED', successCount: 1 } }, op),
          status: 202,
        };
  const known = { family: 'sgt', id, isLive: true, fields: { name: 'one' }, former: {} } as unknown as Known;
  const session = aSession({
    ...{ book: new Map([['sgt/1', known]]), labels: new Map([['subject', 'sgt/1']]) },
    context: contextOf(send),
  });
  const step = { step: 'bulk', action: 'update', form: 'json', names: [], who: ['subject'] } as const;
  return bulk(session, { ...step, sets: [{ propogateToApic: false }] });
}

it.each([{ propogateToApic: false }, {}])('a bulk update to false is done if the record shows %j', async (shows) => {
  await expect(updated(shows)).resolves.toBeUndefined();
});

it('a bulk update to false is not done if the record shows true', async () => {
  await expect(updated({ propogateToApic: true })).rejects.toThrow(/SPC-BULK.*not as its item says/);
});

it('a record that is made to see whether an item could be is known like any other, if its bulk request is known to do too little', async () => {
  const made: string[] = [];
  const send = async (op: string, { fields = {}, bulk: items, list }: Sent = {}) => {
    const [first] = items?.records ?? [fields];
    if ((op === 'create' || op === 'bulkSubmit') && first !== undefined) made.push(`${first['name']}`);
    if (op === 'create')
      return { ...answerOf({}, op), status: 201, headers: { location: `/ers/config/sgt/${made.length}` } };
    if (op === 'list') {
      const shown = made.map((name, at) => ({ id: `${at + 1}`, name }));
      return listAnswer(shown.filter(({ name }) => name === list?.filters[0]?.value));
    }
    const status = { bulkId: '7', executionStatus: 'COMPLETED', resourcesCount: 2, successCount: 2, failCount: 0 };
    return { ...answerOf({ BulkStatus: status }, op), status: 202 };
  };
  const session = aSession({
    isKnown: () => true,
    serial: () => {
      serial += 1;
      return `s${serial}`;
    },
    context: { ...contextOf(send), payload: (fields: object) => fields },
  });
  const step = { step: 'bulk', action: 'create', form: 'json', who: ['a', 'b'], sets: [{}, {}] } as const;
  await bulk(session, step);
  expect(made).toHaveLength(2);
  expect([...session.book.values()].map(({ fields }) => fields['name'])).toEqual(made);
});

const POOL = 256;

/** A session on a target whose endpoints hold policies, and that reads the last endpoint of a clear alone. */
function sessionOn(held: readonly string[], lessons: readonly string[]) {
  const holders = new Set(held);
  const entry = (macAddress: string) => ({ id: macAddress.slice(-1), name: macAddress, macAddress, policyName: 'p' });
  const send = async (op: string, { id, fields }: { readonly id?: string; readonly fields?: object } = {}) => {
    const last =
      JSON.stringify(fields ?? '')
        .match(/02(?::\w\w){5}/g)
        ?.at(-1) ?? '';
    if (op === 'clear') return { ...answerOf({}, op), status: holders.delete(last) ? 204 : 400 };
    const all = [...holders].map(entry);
    return op === 'read' ? answerOf({ ErsAncEndpoint: all.find((each) => each.id === id) }, op) : listAnswer(all);
  };
  const at = (n: number) => ({ macAddress: `02:00:00:00:00:${n.toString(16).padStart(2, '0')}` });
  const pool = { size: POOL, at, indexOf: (mac: string) => Number.parseInt(mac.slice(-2), 16) };
  const run = {
    ...{ endpoints: { pool, policies: ['p'] }, anc: () => ({ effective: {} }) },
    ...{ dialect: () => 0, needsCsrf: () => false },
  };
  const ledger = { standing: () => 'ours', writes: () => 0, leftAlone: () => [], applied: () => [] };
  const session = aSession({ context: { family: FAMILIES.ancendpoint, send, run, ledger } });
  for (const lesson of lessons) session.lessons.taken.add(lesson);
  return session;
}

/** A clear that is refused, of an endpoint that holds a policy as far as is known. */
function refusedClear(policy: string | undefined) {
  const session = sessionOn([], ['clear']);
  const { address } = endpointOf(session, 0);
  session.anc.holdings.set(address, { policy, last: { kind: 'apply', address, policy, end: 'unknown' } });
  return clear(session, { step: 'clear', who: [0], isNamed: false, spelled: 'plain', carried: PLAIN });
}

it('a clear may be refused if nobody knows whether there is anything to clear', async () => {
  await expect(refusedClear(undefined)).resolves.toBeUndefined();
  await expect(refusedClear('p')).rejects.toThrow(/SPC-ANC/);
});

it('a sequence clears its endpoints one by one until a clear of several was seen to clear all', async () => {
  const session = sessionOn([], ['clear', 'clear several']);
  const ends = [0, 1].map((number) => endpointOf(session, number));
  const own = sessionOn(
    ends.map(({ macAddress }) => macAddress),
    ['clear', 'clear several'],
  );
  for (const { address } of ends)
    own.anc.holdings.set(address, { policy: 'p', last: { kind: 'apply', address, policy: 'p', end: 'done' } });
  await expect(leaveEndpoints(own)).resolves.toBeUndefined();
});

it('what a record shows after a second apply, its name included, is not known', () => {
  const session = sessionOn([], []);
  const fields = { name: 'anc-7', macAddress: '02:00:00:00:00:07', policyName: 'p' };
  const known = { family: 'ancendpoint', id: '7', isLive: true, fields, former: {} } as unknown as Known;
  session.book.set('ancendpoint/7', known);
  session.anc.read.set('7', fields);
  noteAnc(session, { kind: 'apply', address: '020000000007', policy: 'q', end: 'done' });
  expect(session.book.get('ancendpoint/7')).toMatchObject({ isLive: undefined, fields: {} });
});
