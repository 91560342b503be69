import { expect, it } from 'vitest';
import { endpointOf } from '../../../../conformance/driver/endpoints.ts';
import { clear } from '../../../../conformance/steps/anc.ts';
import { PLAIN } from '../../../../conformance/steps/step.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { answerOf, aSession, listAnswer } from '../../../helpers/a-session.ts';

/** A clear that is refused, of an endpoint that holds a policy as far as is known. */
function refusedClear(policy: string | undefined) {
  const pool = {
    size: 256,
    at: (n: number) => ({ macAddress: `02:00:00:00:00:${n.toString(16).padStart(2, '0').toUpperCase()}` }),
  };
  const send = async (op: string) =>
    op === 'clear' ? { ...answerOf({ message: 'nothing to clear' }, op), status: 400 } : listAnswer([]);
  const run = {
    endpoints: { pool: { ...pool, indexOf: () => undefined }, policies: ['p'] },
    anc: () => ({ effective: {} }),
    dialect: () => 0,
    needsCsrf: () => false,
  };
  const ledger = { standing: () => 'ours', writes: () => 0, leftAlone: () => [], applied: () => [] };
  const session = aSession({ context: { family: FAMILIES.ancendpoint, send, run, ledger } });
  session.lessons.taken.add('clear');
  const { address } = endpointOf(session, 0);
  session.anc.holdings.set(address, { policy, last: { kind: 'apply', address, policy, end: 'unknown' } });
  return clear(session, { step: 'clear', who: [0], isNamed: false, spelled: 'plain', carried: PLAIN });
}

it('a clear may be refused if nobody knows whether there is anything to clear', async () => {
  await expect(refusedClear(undefined)).resolves.toBeUndefined();
  await expect(refusedClear('p')).rejects.toThrow(/SPC-ANC/);
});
