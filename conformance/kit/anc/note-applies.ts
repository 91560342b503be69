import type { Exchange } from '../../../lib/client/types.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import type { CheckContext, SharedScope } from '../check.ts';
import { recordFor } from './held.ts';

/**
 * Takes in the applies of a preparation that were answered 2xx, by MAC address. Where not all of them show, the first
 * endpoint that no list holds is told of: one is enough for `operation/acknowledged-anc` to fail.
 */
export async function noteApplies(
  context: CheckContext & Pick<SharedScope, 'acknowledged'>,
  applied: ReadonlyMap<string, Exchange>,
  doAllShow: boolean,
): Promise<void> {
  let isLooking = !doAllShow;
  for (const [macAddress, exchange] of applied) {
    const isLost = isLooking && (await recordFor(context, macAddress, true)) === undefined;
    if (isSuccess(exchange))
      context.acknowledged('apply', exchange, isLost ? `no list shows the endpoint ${macAddress}` : undefined);
    isLooking &&= !isLost;
  }
}
