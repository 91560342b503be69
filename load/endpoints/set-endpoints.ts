import pLimit from 'p-limit';
import { applyEndpoint, clearEndpoint } from '../../lib/client/anc/state.ts';
import { saidIn } from '../../lib/client/http/said.ts';
import type { ErsClient, Exchange } from '../../lib/client/types.ts';
import { HarnessError } from '../../lib/errors.ts';
import { ANSWER_CODES, answerCode } from '../../lib/wire/scenario.ts';
import type { AncFindings, LoadContext } from './context.ts';

const TRIES = 4;
const BACKOFF_MS = 100;
const FINAL: ReadonlySet<string> = new Set(['refused-login']);
/** Code of the refusal to send a write again: a look showed a policy of somebody else. */
const NOT_OURS = 'refused-by-mode';
const SLOW: ReadonlySet<string> = new Set(['timeout', 'unreachable', 'out-of-service']);

/** Codes of faults by which nothing was done: what the endpoint held, it holds. */
const UNDONE: ReadonlySet<string> = new Set([...FINAL, 'out-of-service']);

/** Code of an ANC answer: the state errors tell what an endpoint holds as well as a success does. */
export function codeOfAnswer({ status, headers, body }: Exchange): string {
  return answerCode(status, headers['content-type'] ?? '', headers['retry-after'] ?? '', body);
}

const MAC = /\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}\b|\b[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}\b|\b[0-9a-f]{12}\b/gi;
const IP = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g;

export function saidBy(client: ErsClient, answer: Exchange): NonNullable<AncFindings['doneDespite']> {
  return { status: answer.status, says: saidIn(client, answer).replace(MAC, '…').replace(IP, '…') };
}

/** True for the error that the target is known to answer although the operation is carried out. */
function isDoneDespite({ client, anc }: LoadContext, answer: Exchange): boolean {
  const known = anc?.doneDespite;
  if (known === undefined || codeOfAnswer(answer) !== ANSWER_CODES.other) return false;
  const { status, says } = saidBy(client, answer);
  return status === known.status && says === known.says;
}

async function setOne(given: LoadContext, index: number, want: 'policy' | 'nothing'): Promise<boolean> {
  const { plan, client, clock, state } = given;
  const { macAddress } = plan.pool.at(index);
  const enough = [ANSWER_CODES.ok, want === 'policy' ? ANSWER_CODES.alreadyAssociated : ANSWER_CODES.notAssociated];
  for (let tries = 1; tries <= TRIES; tries += 1) {
    given.signal?.throwIfAborted();
    const before = state.get(index);
    state.set(index, 'unknown');
    try {
      const answer =
        want === 'policy'
          ? await applyEndpoint(client, macAddress, plan.policy)
          : await clearEndpoint(client, macAddress);
      if (enough.some((code) => code === codeOfAnswer(answer)) || isDoneDespite(given, answer)) {
        state.set(index, want);
        return true;
      }
    } catch (fault) {
      if (fault instanceof HarnessError && UNDONE.has(fault.code)) state.set(index, before);
      if (!(fault instanceof HarnessError) || FINAL.has(fault.code)) throw fault;
      if (fault.code === NOT_OURS && !plan.spec.takeOver) {
        state.foreign ??= `${macAddress} holds a policy of somebody else`;
        return false;
      }
      // A whole time limit has passed, or nothing is sent: another try would be no better.
      if (SLOW.has(fault.code)) return false;
    }
    if (tries < TRIES) await clock.sleep(BACKOFF_MS * 2 ** (tries - 1), given.signal);
  }
  return false;
}

/**
 * Applies the policy or clears it, with retries; gives the endpoints left unchanged, and those not begun because `isSeen` tells that the
 * last look at them is too old. Rejects for a refused login and on abort.
 */
export async function setEndpoints(
  given: LoadContext,
  indexes: readonly number[],
  want: 'policy' | 'nothing',
  isSeen = () => true,
): Promise<{ readonly failed: readonly number[]; readonly late: readonly number[] }> {
  // A target that is gone is not asked for each of the others in turn.
  const patience = given.client.options.target.connections;
  const failed: number[] = [];
  const late: number[] = [];
  let inRow = 0;
  await pLimit(patience).map(indexes, async (index) => {
    if (!isSeen()) return void late.push(index);
    const done = inRow < patience && (await setOne(given, index, want));
    inRow = done ? 0 : inRow + 1;
    if (!done) failed.push(index);
  });
  return { failed, late };
}
