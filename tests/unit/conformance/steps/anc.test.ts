import { expect, it } from 'vitest';
import { leaveEndpoints } from '../../../../conformance/driver/clear-endpoints.ts';
import { endpointOf, noteAnc } from '../../../../conformance/driver/endpoints.ts';
import type { Known } from '../../../../conformance/model/history.ts';
import { clear } from '../../../../conformance/steps/anc.ts';
import { PLAIN } from '../../../../conformance/steps/step.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { answerOf, aSession, listAnswer } from '../../../helpers/a-session.ts';

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
