import { expect, it } from 'vitest';
import type { Known } from '../../../../conformance/model/history.ts';
import { bulk } from '../../../../conformance/steps/bulk.ts';
import { answerOf, aSession } from '../../../helpers/a-session.ts';

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
  const eventually = async (look: () => Promise<unknown>) => look();
  const run = {
    ...{ prefix: 'one', values: { adaptAll: (given: object) => given, samples: () => ({}) }, dialect: () => undefined },
    exclusive: (_: string, work: () => unknown) => work(),
    shared: (_: string, make: () => unknown) => make(),
  };
  const session = aSession({
    ...{ book: new Map([['sgt/1', known]]), labels: new Map([['subject', 'sgt/1']]) },
    context: { send, run, eventually, ledger: { standing: () => 'ours' } },
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
