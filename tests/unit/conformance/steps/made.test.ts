import { describe, expect, it } from 'vitest';
import type { Fields, Known } from '../../../../conformance/model/history.ts';
import { madeBy, mustBeNew } from '../../../../conformance/steps/made.ts';
import { marked } from '../../../../conformance/steps/names.ts';
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
