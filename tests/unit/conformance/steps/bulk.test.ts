import { expect, it } from 'vitest';
import type { Known } from '../../../../conformance/model/history.ts';
import { bulk } from '../../../../conformance/steps/bulk.ts';
import { answerOf, aSession, listAnswer } from '../../../helpers/a-session.ts';

type Fields = Readonly<Record<string, unknown>>;
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
  ledger: { standing: (_: string, id: string) => (id === '1' ? 'ours' : undefined), adopt: () => true },
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
  await expect(updated({ propogateToApic: true })).rejects.toThrow(/SPC-BULK.*as it was/);
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
