import { applyEndpoint, clearEndpoint } from '../../lib/client/anc/state.ts';
import { TargetError } from '../../lib/errors.ts';
import { ANSWER_CODES } from '../../lib/wire/scenario.ts';
import { endpointOf, type LoadContext, notePhase } from './context.ts';
import { codeOfAnswer } from './set-endpoints.ts';

/**
 * Applies the policy to one endpoint and clears it again, before anything is measured: shows whether ANC is switched
 * on, the policy exists, the account may write, and a CSRF token is demanded. Throws `TargetError` where the target
 * refuses with a 4xx; any other answer is left for the cells to show.
 */
export async function probeAnc(context: LoadContext): Promise<void> {
  const [cell] = context.plan.cells;
  if (cell === undefined) return;
  const index = endpointOf(cell)(0);
  if (context.state.get(index) !== 'nothing') return;
  const { macAddress } = context.plan.pool.at(index);
  notePhase(context, { ...cell, endpointCount: 1 }, 'intent', 'apply');
  context.state.set(index, 'unknown');
  const answer = await applyEndpoint(context.client, macAddress, context.plan.policy);
  const code = codeOfAnswer(answer);
  if (code === ANSWER_CODES.other && answer.status >= 400 && answer.status < 500) {
    throw new TargetError(
      'anc-refused',
      `applying "${context.plan.policy}" to ${macAddress} answered ${answer.status}`,
      {
        hint: 'check that the policy exists, that ANC is enabled, and that the account may write; exchanges.ndjson shows the answer',
      },
    );
  }
  if (code === ANSWER_CODES.ok) context.state.set(index, 'policy');
  const cleared = codeOfAnswer(await clearEndpoint(context.client, macAddress));
  if (cleared === ANSWER_CODES.ok || cleared === ANSWER_CODES.notAssociated) context.state.set(index, 'nothing');
}
