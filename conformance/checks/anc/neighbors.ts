import { ANC_OPERATIONS, type AncOperationName } from '../../../lib/contract/anc.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import { recordFor } from '../../kit/anc/held.ts';
import { answerText } from '../../kit/answer.ts';
import { type CheckContext, checkOfEach } from '../../kit/check.ts';
import { CheckFailure, Inconclusive, NotTestable } from '../../kit/fault.ts';
import { shown } from '../../kit/record/record-reads.ts';
import {
  type Endpoint,
  freeEndpoint,
  needsSession,
  sendAnc,
  sendApply,
  untilApplied,
  untilCleared,
} from './fixture.ts';

/** What an endpoint is to show: the policy that was put on it, or nothing. */
interface Expected {
  readonly endpoint: Endpoint;
  readonly policyName: string | undefined;
}

interface Wrong extends Expected {
  readonly held: unknown;
}

/** Waits until each endpoint shows what it should; the first that does not, if one stays wrong. */
async function firstWrong(context: CheckContext, all: readonly Expected[]): Promise<Wrong | undefined> {
  let wrong: Wrong | undefined;
  await context.eventually(async () => {
    wrong = undefined;
    for (const { endpoint, policyName } of all) {
      const record = await recordFor(context, endpoint.macAddress);
      const held = record === undefined ? undefined : (record['policyName'] ?? policyName);
      if (held !== policyName || (policyName !== undefined && record === undefined)) {
        wrong = { endpoint, policyName, held };
        return undefined;
      }
    }
    return true;
  });
  return wrong;
}

/** An operation on one endpoint left it, or another, with what it should not hold. */
function left({ endpoint, policyName, held }: Wrong, operation: 'apply' | 'clear', named: Expected): CheckFailure {
  const { macAddress } = named.endpoint;
  if (endpoint.macAddress === macAddress && held !== undefined)
    return new CheckFailure({
      expected: `the policy ${policyName} on ${macAddress}`,
      observed: shown(held),
      about: { kind: 'value', operation, subject: 'policy' },
    });
  return new CheckFailure({
    expected: `only ${macAddress} ${named.policyName === undefined ? 'cleared' : `changed, to ${named.policyName}`}`,
    observed: `${endpoint.macAddress} with ${shown(held)} and not ${shown(policyName)}`,
    about: { kind: 'no-effect', operation, subject: 'other records' },
  });
}

async function mustApply(context: CheckContext, endpoint: Endpoint, operation: AncOperationName) {
  const applied = await sendApply(context, operation, endpoint);
  if (isSuccess(applied) || (await untilApplied(context, endpoint)) !== undefined) return;
  throw new Inconclusive(`refused: ${answerText(applied)}`);
}

/** Endpoints that the checks of neighbors use: apart from those of the others. */
const FIRST = 6;
const MOST_TURNS = 6;

/** Three different endpoints that hold nothing. */
async function threeEndpoints(context: CheckContext): Promise<readonly [Endpoint, Endpoint, Endpoint]> {
  const found: Endpoint[] = [];
  for (let turn = FIRST; turn < FIRST + MOST_TURNS && found.length < 3; turn += 1) {
    const endpoint = await freeEndpoint(context, turn);
    if (!found.some(({ macAddress }) => macAddress === endpoint.macAddress)) found.push(endpoint);
  }
  const [one, other, third] = found;
  if (one === undefined || other === undefined || third === undefined)
    throw new NotTestable('the pool has no three endpoints without a policy', 'endpoints without a policy');
  return [one, other, third];
}

/** Each ANC operation touches the endpoint it names and no other, and stores the policy it names, time after time. */
export const ancNeighbors = checkOfEach<AncOperationName>({
  id: 'anc/neighbors',
  title: 'an ANC operation changes its endpoint and policy alone, also the second time',
  requirement: 'SPC-ANC',
  level: 'stated',
  appliesTo: (family) => hasOp(family, 'apply') && hasOp(family, 'clear') && hasOp(family, 'read'),
  variants: () =>
    (Object.keys(ANC_OPERATIONS) as AncOperationName[]).map((operation) => ({ name: operation, data: operation })),
  dependsOn: ['anc/apply', 'anc/clear'],
  needs: 'full',
  async run(context, operation) {
    const { op } = ANC_OPERATIONS[operation];
    const [before, subject, behind] = await threeEndpoints(context);
    const policies = context.run.endpoints?.policies ?? [];
    try {
      needsSession(context, operation, subject);
      // The second time with another policy, if the operator named one, and with the neighbor on the other side.
      const turns = [
        [before, behind, policies.at(-1) ?? subject.policyName],
        [behind, before, subject.policyName],
      ] as const;
      for (const [holder, empty, policyName] of turns) {
        await mustApply(context, holder, 'apply-by-mac');
        const kept: readonly Expected[] = [
          { endpoint: holder, policyName: holder.policyName },
          { endpoint: empty, policyName: undefined },
        ];
        const one = { ...subject, policyName };
        await mustApply(context, one, op === 'apply' ? operation : 'apply-by-mac');
        const applied = { endpoint: one, policyName };
        const after = await firstWrong(context, [...kept, applied]);
        if (after !== undefined) throw left(after, 'apply', applied);
        await sendAnc(context, op === 'clear' ? operation : 'clear-by-mac', one);
        if ((await untilCleared(context, one)) !== undefined) throw new Inconclusive('the endpoint was not cleared');
        const cleared = await firstWrong(context, kept);
        if (cleared !== undefined) throw left(cleared, 'clear', { endpoint: one, policyName: undefined });
        await sendAnc(context, 'clear-by-mac', holder);
        if ((await untilCleared(context, holder)) !== undefined) throw new Inconclusive('the neighbor was not cleared');
        context.witness('turns');
      }
    } finally {
      for (const endpoint of [subject, before, behind])
        await sendAnc(context, 'clear-by-mac', endpoint).catch(() => undefined);
    }
    return undefined;
  },
});
