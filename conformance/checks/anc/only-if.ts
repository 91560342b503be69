import type { AncOperationName } from '../../../lib/contract/anc.ts';
import { recordFor, sendAnc } from '../../kit/anc.ts';
import { freshPlace } from '../../kit/anc-places.ts';
import type { CheckContext } from '../../kit/check.ts';
import { type Endpoint, untilCleared } from './fixture.ts';

/** True if the operation puts its policy on the endpoint, which is cleared again. */
async function puts(context: CheckContext, operation: AncOperationName, endpoint: Endpoint): Promise<boolean> {
  await sendAnc(context, operation, endpoint);
  const held = await context.eventually(async () => (await recordFor(context, endpoint.macAddress))?.['policyName']);
  await sendAnc(context, 'clear-by-mac', endpoint);
  await untilCleared(context, endpoint);
  return held === endpoint.policyName;
}

/**
 * What an operation that put another policy on an endpoint than it named has, and one like it that puts the right one has not: a clause behind `only if`;
 * undefined if no other one does. Each endpoint that it names is clear afterwards.
 */
export async function wrongPolicyOnlyIf(context: CheckContext, operation: AncOperationName, endpoint: Endpoint) {
  await sendAnc(context, 'clear-by-mac', endpoint);
  if (operation === 'apply-by-ip' && (await puts(context, 'apply-by-mac', endpoint)))
    return 'the endpoint is named by its IP address';
  const { pool, policies } = context.run.endpoints ?? {};
  const other = policies?.find((each) => each !== endpoint.policyName);
  const place = operation === 'apply-by-ip' ? undefined : pool && freshPlace(pool);
  if (other === undefined || pool === undefined || place === undefined) return undefined;
  const fresh = pool.at(place);
  if ((await recordFor(context, fresh.macAddress)) !== undefined) return undefined;
  const isRight = await puts(context, 'apply-by-mac', { ...fresh, policyName: endpoint.policyName });
  const isWrong = isRight && !(await puts(context, 'apply-by-mac', { ...fresh, policyName: other }));
  return isWrong ? 'the endpoint had another policy before and was cleared' : undefined;
}
