import { ANC_OPERATION_NAMES, ANC_OPERATIONS, type AncOperationName } from '../../../lib/contract/anc.ts';
import { fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { idOf, isForbidden, isSuccess } from '../../../lib/wire/answer.ts';
import { isTaken } from '../../kit/anc/taken.ts';
import { answerFailure, answerText, mustSucceed } from '../../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../../kit/check.ts';
import { CheckFailure, Inconclusive, NotTestable, ToleratedDeviation } from '../../kit/fault.ts';
import { shown } from '../../kit/record/record-reads.ts';
import { mustTakeClears } from '../../kit/record/trial-verdict.ts';
import { MAC_FORM } from '../../kit/schemas.ts';
import {
  type Endpoint,
  freeEndpoint,
  isGhost,
  needsSession,
  sendAnc,
  sendApply,
  untilApplied,
  untilCleared,
} from './fixture.ts';
import { ancNeighbors } from './neighbors.ts';

const hasAnc: Check['appliesTo'] = (family) =>
  hasOp(family, 'apply') && hasOp(family, 'clear') && hasOp(family, 'read');
const namesOf = (op: 'apply' | 'clear') => ANC_OPERATION_NAMES.filter((name) => ANC_OPERATIONS[name].op === op);

/** Applies, waits for the record, and gives it. Clears again whatever comes. */
async function withPolicy<T>(
  context: CheckContext,
  operation: AncOperationName,
  endpoint: Endpoint,
  work: (record: Readonly<Record<string, unknown>>) => Promise<T>,
): Promise<T> {
  const applied = await sendApply(context, operation, endpoint);
  try {
    const record = await untilApplied(context, endpoint);
    if (record === undefined) {
      mustSucceed(applied, 'the policy to be applied');
      throw answerFailure(`a record of ${endpoint.macAddress} with ${endpoint.policyName}`, applied, {
        subject: 'record',
        effect: 'none is there',
      });
    }
    if (!isSuccess(applied)) context.observe('refused and stored', answerText(applied));
    return await work(record);
  } finally {
    await sendAnc(context, 'clear-by-mac', endpoint).catch(() => undefined);
  }
}

const ancApplies = checkOfEach<AncOperationName>({
  id: 'anc/apply',
  title: 'an endpoint with an applied policy has a record',
  requirement: 'SPC-ANC',
  level: 'stated',
  appliesTo: hasAnc,
  variants: () => namesOf('apply').map((name) => ({ name, data: name })),
  exercises: ['list', 'read'],
  needs: 'full',
  async run(context, operation) {
    const endpoint = await freeEndpoint(context, namesOf('apply').indexOf(operation));
    needsSession(context, operation, endpoint);
    await withPolicy(context, operation, endpoint, async (record) => {
      if (record['policyName'] !== undefined && record['policyName'] !== endpoint.policyName) {
        throw new CheckFailure({
          expected: `policyName ${endpoint.policyName}`,
          observed: shown(record['policyName']),
          about: { kind: 'value', operation: 'apply', subject: 'policy' },
        });
      }
    });
    context.witness('applied');
    return undefined;
  },
});

const ancClears = checkOfEach<AncOperationName>({
  id: 'anc/clear',
  title: 'a cleared endpoint has no record',
  requirement: 'SPC-ANC',
  level: 'stated',
  appliesTo: hasAnc,
  variants: () => namesOf('clear').map((name) => ({ name, data: name })),
  dependsOn: ['anc/apply'],
  exercises: ['list', 'read'],
  needs: 'full',
  async run(context, operation) {
    mustTakeClears(context, true);
    const endpoint = await freeEndpoint(context, namesOf('apply').length + namesOf('clear').indexOf(operation));
    await withPolicy(context, 'apply-by-mac', endpoint, async (record) => {
      const cleared = await sendAnc(context, operation, endpoint);
      const left = await untilCleared(context, endpoint);
      if (left !== undefined) {
        mustSucceed(cleared, 'the policy to be cleared');
        throw answerFailure(`no record of ${endpoint.macAddress}`, cleared, {
          subject: 'record',
          effect: `${shown(left)} is there`,
        });
      }
      if (!isSuccess(cleared)) context.observe('refused and cleared', answerText(cleared));
      if (await isGhost(context, endpoint, record))
        throw new CheckFailure({
          expected: `no record in a list of ${endpoint.macAddress}, which was cleared`,
          observed: `${idOf(record)}, which no read finds`,
          about: { kind: 'records', operation: 'list', subject: 'list' },
        });
    });
    context.witness('cleared');
    return undefined;
  },
});

/** The two operations themselves: one row each of the operations table. */
const ancOperations = checkOfEach<'apply' | 'clear'>({
  id: 'anc/operation',
  title: 'apply and clear are accepted and take effect',
  requirement: 'OP-{family}-APPLY',
  level: 'stated',
  appliesTo: hasAnc,
  variants: (family) =>
    (['apply', 'clear'] as const).map((op) => ({
      name: op,
      data: op,
      requirement: `OP-{family}-${op.toUpperCase()}`,
      covers: { kind: 'operation' as const, cell: `${family.name}.${op}` },
    })),
  dependsOn: ['anc/apply', 'anc/clear'],
  needs: 'full',
  async run(context, op) {
    const endpoint = await freeEndpoint(context, op === 'apply' ? 5 : 6);
    await withPolicy(context, 'apply-by-mac', endpoint, async () => {
      if (op === 'clear') {
        const cleared = await sendAnc(context, 'clear-by-mac', endpoint);
        if (!isTaken(context, 'clear', cleared)) mustSucceed(cleared, 'clear to be taken');
        if ((await untilCleared(context, endpoint)) !== undefined)
          throw new CheckFailure({
            expected: 'no record',
            observed: 'it is still there',
            about: { kind: 'no-effect', operation: 'clear', subject: 'record' },
          });
      }
      context.witness(op);
    });
    return undefined;
  },
});

const ancMacForm: Check = {
  id: 'anc/mac-form',
  title: 'the MAC address of an endpoint is written in colon-separated hex',
  requirement: 'RES-MAC',
  level: 'stated',
  appliesTo: hasAnc,
  dependsOn: ['anc/apply'],
  needs: 'full',
  async run(context) {
    await withPolicy(context, 'apply-by-mac', await freeEndpoint(context, 7), async (record) => {
      if (!MAC_FORM.test(String(record['macAddress'])))
        throw new CheckFailure({
          expected: 'colon-separated hex',
          observed: shown(record['macAddress']),
          about: { kind: 'value', operation: 'read', subject: 'address' },
        });
      context.witness('addresses');
    });
    return undefined;
  },
};

const ancMembers = checkOfEach<string>({
  id: 'anc/members',
  title: 'the record of an endpoint has its required members',
  requirement: 'RES-ANC',
  level: 'stated',
  appliesTo: hasAnc,
  variants: (family) =>
    Object.entries(fieldsOf(family))
      .filter(([, { required }]) => required === true)
      .map(([name]) => ({ name, data: name })),
  dependsOn: ['anc/apply'],
  needs: 'full',
  async run(context, member) {
    await withPolicy(context, 'apply-by-mac', await freeEndpoint(context, 8), async (record) => {
      context.witness('records');
      if (record[member] !== undefined) return;
      const isTolerated = vendorFacts(context.family.name).toleratedAbsent?.includes(member) ?? false;
      const Failure = isTolerated ? ToleratedDeviation : CheckFailure;
      throw new Failure({
        expected: `the member ${member}`,
        observed: `absent from ${shown(record)}`,
        about: { kind: 'missing', operation: 'read', subject: `member ${member}` },
      });
    });
    return undefined;
  },
});

const ancCsrf = checkOfEach<'apply' | 'clear'>({
  id: 'anc/csrf-header',
  title: 'apply and clear accept the header X-CSRF-TOKEN',
  requirement: 'AUTH-CSRF',
  level: 'stated',
  appliesTo: hasAnc,
  variants: () => (['apply', 'clear'] as const).map((op) => ({ name: op, data: op })),
  dependsOn: ['anc/apply', 'anc/clear'],
  needs: 'full',
  async run(context, op) {
    const endpoint = await freeEndpoint(context, 9);
    const headers = { csrfToken: 'fetch' };
    try {
      const applied = await sendAnc(context, 'apply-by-mac', endpoint, { headers });
      if (isForbidden(applied)) await sendAnc(context, 'apply-by-mac', endpoint);
      const cleared = await sendAnc(context, 'clear-by-mac', endpoint, { headers });
      const answer = op === 'apply' ? applied : cleared;
      // One that takes a made-up token with the one operation does not check it.
      if (isForbidden(applied) && isForbidden(cleared))
        throw new NotTestable(
          'the target checks X-CSRF-TOKEN, and refuses a made-up one',
          'a target that does not check CSRF tokens',
        );
      const expected = `${op} with X-CSRF-TOKEN to be taken`;
      if (op === 'clear' && !isTaken(context, op, answer)) {
        await sendAnc(context, 'apply-by-mac', endpoint);
        const plain = await sendAnc(context, 'clear-by-mac', endpoint);
        if (!isTaken(context, op, plain)) throw new Inconclusive(`refused: ${answerText(plain)}`);
      }
      if (isForbidden(answer)) throw answerFailure(expected, answer, { subject: 'header csrfToken' });
      if (!isTaken(context, op, answer)) mustSucceed(answer, expected, 'header csrfToken');
      context.witness('pairs');
    } finally {
      await sendAnc(context, 'clear-by-mac', endpoint).catch(() => undefined);
    }
    return undefined;
  },
});

export const ancChecks: readonly Check[] = [
  ancApplies,
  ancClears,
  ancOperations,
  ancMacForm,
  ancMembers,
  ancCsrf,
  ancNeighbors,
];
