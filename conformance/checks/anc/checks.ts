import { ANC_OPERATION_NAMES, ANC_OPERATIONS, type AncOperationName } from '../../../lib/contract/anc.ts';
import { idOf, isForbidden, isSuccess, type JsonObject } from '../../../lib/wire/answer.ts';
import { isTaken, sendAnc } from '../../kit/anc.ts';
import { answerFailure, answerText, mustSucceed } from '../../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../../kit/check.ts';
import { failure, Inconclusive } from '../../kit/fault.ts';
import { shown } from '../../kit/record/record-reads.ts';
import { mustTakeClears } from '../../kit/record/write-attempt.ts';
import { checksTokens } from '../common.ts';
import * as anc from './fixture.ts';
import { ancNeighbors } from './neighbors.ts';

const namesOf = (op: 'apply' | 'clear') => ANC_OPERATION_NAMES.filter((name) => ANC_OPERATIONS[name].op === op);

/** Applies, waits for the record, and works on it. Clears again whatever comes. */
async function withPolicy(
  context: CheckContext,
  endpoint: anc.Endpoint,
  work: (record: JsonObject) => Promise<void>,
  operation: AncOperationName = 'apply-by-mac',
): Promise<void> {
  const applied = await anc.sendApply(context, operation, endpoint);
  return anc.clearedAfter(context, [endpoint], async () => {
    const record = await anc.untilApplied(context, endpoint);
    if (record === undefined) {
      mustSucceed(applied, 'the policy to be applied');
      const expected = `a record of ${endpoint.macAddress} with ${endpoint.policyName}`;
      throw answerFailure(expected, applied, 'record', 'none is there');
    }
    if (!isSuccess(applied)) context.observe('refused and stored', answerText(applied));
    return work(record);
  });
}

const ancApplies = checkOfEach<AncOperationName>({
  ...anc.onAnc,
  id: 'anc/apply',
  title: 'an endpoint with an applied policy has a record',
  variants: () => namesOf('apply'),
  exercises: ['list', 'read', 'apply'],
  async run(context, operation) {
    const endpoint = await anc.freeEndpoint(context, namesOf('apply').indexOf(operation));
    anc.needsSession(context, operation, endpoint);
    const { policyName } = endpoint;
    const look = async ({ policyName: held }: JsonObject) => {
      if (held !== undefined && held !== policyName)
        throw failure('value', 'apply', 'policy', { expected: `policyName ${policyName}`, observed: shown(held) });
    };
    await withPolicy(context, endpoint, look, operation);
    context.witness('applied');
  },
});

const ancClears = checkOfEach<AncOperationName>({
  ...anc.onAnc,
  id: 'anc/clear',
  title: 'a cleared endpoint has no record',
  variants: () => namesOf('clear'),
  dependsOn: ['anc/apply'],
  exercises: ['list', 'read', 'clear'],
  async run(context, operation) {
    mustTakeClears(context, true);
    const endpoint = await anc.freeEndpoint(context, namesOf('apply').length + namesOf('clear').indexOf(operation));
    await withPolicy(context, endpoint, async (record) => {
      const cleared = await sendAnc(context, operation, endpoint);
      const left = await anc.untilCleared(context, endpoint);
      if (left !== undefined) {
        mustSucceed(cleared, 'the policy to be cleared');
        throw answerFailure(`no record of ${endpoint.macAddress}`, cleared, 'record', `${shown(left)} is there`);
      }
      if (!isSuccess(cleared)) context.observe('refused and cleared', answerText(cleared));
      if (await anc.isGhost(context, endpoint, record))
        throw failure('records', 'list', 'list', {
          expected: `no record in a list of ${endpoint.macAddress}, which was cleared`,
          observed: `${idOf(record)}, which no read finds`,
        });
    });
    context.witness('cleared');
  },
});

const ancCsrf = checkOfEach<'apply' | 'clear'>({
  ...anc.onAnc,
  id: 'anc/csrf-header',
  title: 'apply and clear accept the header X-CSRF-TOKEN',
  requirement: 'AUTH-CSRF',
  variants: () => anc.BOTH,
  dependsOn: ['anc/apply', 'anc/clear'],
  restsOn: anc.LEAVES,
  async run(context, op) {
    const endpoint = await anc.freeEndpoint(context, 9);
    const headers = { csrfToken: 'fetch' };
    await anc.clearedAfter(context, [endpoint], async () => {
      const applied = await sendAnc(context, 'apply-by-mac', endpoint, { headers });
      // A clear needs a policy, whatever the apply was refused for, and however late it is done.
      if (!isTaken(context, 'apply', applied)) await sendAnc(context, 'apply-by-mac', endpoint);
      await anc.untilApplied(context, endpoint);
      const cleared = await sendAnc(context, 'clear-by-mac', endpoint, { headers });
      const answer = op === 'apply' ? applied : cleared;
      // One that takes a made-up token with the one operation does not check it.
      if (isForbidden(applied) && isForbidden(cleared)) throw checksTokens();
      const expected = `${op} with X-CSRF-TOKEN to be taken`;
      if (op === 'clear' && !isTaken(context, op, answer)) {
        await sendAnc(context, 'apply-by-mac', endpoint);
        await anc.untilApplied(context, endpoint);
        const plain = await sendAnc(context, 'clear-by-mac', endpoint);
        if (!isTaken(context, op, plain)) throw new Inconclusive(`refused: ${answerText(plain)}`);
      }
      if (isForbidden(answer)) throw answerFailure(expected, answer, 'header csrfToken');
      if (!isTaken(context, op, answer)) mustSucceed(answer, expected, 'header csrfToken');
      context.witness('pairs');
    });
  },
});

export const ancChecks: readonly Check[] = [ancApplies, ancClears, ancCsrf, ancNeighbors];
