import { ANC_OPERATION_NAMES, ANC_OPERATIONS, type AncOperationName } from '../../../lib/contract/anc.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import { recordFor, sendAnc } from '../../kit/anc.ts';
import { answerText } from '../../kit/answer.ts';
import { type CheckContext, checkOfEach } from '../../kit/check.ts';
import { failure, Inconclusive, NotTestable } from '../../kit/fault.ts';
import { shown } from '../../kit/record/record-reads.ts';
import * as anc from './fixture.ts';

/** What an endpoint is to show: the policy that was put on it, or nothing. */
interface Expected {
  readonly macAddress: string;
  readonly policyName: string | undefined;
}

/** Waits until each endpoint shows what it should; the first that does not, if one stays wrong. */
async function firstWrong(context: CheckContext, all: readonly Expected[]) {
  let wrong: (Expected & { readonly held: unknown }) | undefined;
  await context.eventually(async () => {
    wrong = undefined;
    for (const one of all) {
      const record = await recordFor(context, one.macAddress);
      const held = record === undefined ? undefined : (record['policyName'] ?? one.policyName);
      if (held === one.policyName) continue;
      wrong = { ...one, held };
      return undefined;
    }
    return true;
  });
  return wrong;
}

/** An operation on the named endpoint leaves it, and the others, with what they should hold. Throws `CheckFailure` if not. */
async function mustBe(
  context: CheckContext,
  kept: readonly Expected[],
  operation: 'apply' | 'clear',
  named: Expected,
): Promise<void> {
  const isApply = operation === 'apply';
  const wrong = await firstWrong(context, isApply ? [...kept, named] : kept);
  if (wrong === undefined) return;
  const { macAddress, policyName, held } = wrong;
  if (macAddress === named.macAddress && held !== undefined)
    throw failure('value', operation, 'policy', {
      expected: `the policy ${policyName} on ${macAddress}`,
      observed: shown(held),
    });
  const { policies = [] } = context.run.endpoints ?? {};
  if (typeof held === 'string' && !policies.some((policy) => policy.toLowerCase() === held.trim().toLowerCase()))
    throw new Inconclusive(`somebody else put the policy "${held}" on ${macAddress} meanwhile`);
  throw failure('no-effect', operation, 'other records', {
    expected: `only ${named.macAddress} ${isApply ? `changed, to ${named.policyName}` : 'cleared'}`,
    observed: `${macAddress} with ${shown(held)} and not ${shown(policyName)}`,
  });
}

async function mustApply(context: CheckContext, endpoint: anc.Endpoint, operation: AncOperationName): Promise<void> {
  const applied = await anc.sendApply(context, operation, endpoint);
  if (isSuccess(applied) || (await anc.untilApplied(context, endpoint)) !== undefined) return;
  throw new Inconclusive(`refused: ${answerText(applied)}`);
}

async function mustClear(context: CheckContext, on: anc.Endpoint, what: string, by: AncOperationName = 'clear-by-mac') {
  await sendAnc(context, by, on);
  if ((await anc.untilCleared(context, on)) !== undefined) throw new Inconclusive(`${what} was not cleared`);
}

/** Endpoints that the checks of neighbors use: apart from those of the others. */
const FIRST = 6;
const MOST_TURNS = 6;

async function threeEndpoints(context: CheckContext): Promise<readonly [anc.Endpoint, anc.Endpoint, anc.Endpoint]> {
  const found = new Map<string, anc.Endpoint>();
  for (let turn = FIRST; turn < FIRST + MOST_TURNS && found.size < 3; turn += 1) {
    const endpoint = await anc.freeEndpoint(context, turn);
    found.set(endpoint.macAddress, endpoint);
  }
  const [one, other, third] = found.values();
  if (one === undefined || other === undefined || third === undefined)
    throw new NotTestable('the pool has no three endpoints without a policy', 'endpoints without a policy');
  return [one, other, third];
}

export const ancNeighbors = checkOfEach<AncOperationName>({
  ...anc.onAnc,
  id: 'anc/neighbors',
  title: 'an ANC operation changes its endpoint and policy alone, also the second time',
  variants: () => ANC_OPERATION_NAMES,
  dependsOn: ['anc/apply', 'anc/clear'],
  restsOn: anc.LEAVES,
  async run(context, operation) {
    const isClear = ANC_OPERATIONS[operation].op === 'clear';
    const [before, subject, behind] = await threeEndpoints(context);
    const policies = context.run.endpoints?.policies ?? [];
    await anc.clearedAfter(context, [subject, before, behind], async () => {
      anc.needsSession(context, operation, subject);
      // The second time with another policy, if the operator named one, and with the neighbor on the other side.
      const turns = [
        [before, behind, policies.at(-1) ?? subject.policyName],
        [behind, before, subject.policyName],
      ] as const;
      for (const [holder, empty, policyName] of turns) {
        await mustApply(context, holder, 'apply-by-mac');
        const kept: readonly Expected[] = [holder, { ...empty, policyName: undefined }];
        const one = { ...subject, policyName };
        const by = isClear ? 'apply-by-mac' : operation;
        await mustApply(context, one, by);
        await mustBe(context, kept, 'apply', one);
        await mustClear(context, one, 'the endpoint', isClear ? operation : 'clear-by-mac');
        await mustBe(context, kept, 'clear', one);
        await mustClear(context, holder, 'the neighbor');
        context.witness('turns');
      }
    });
  },
});
