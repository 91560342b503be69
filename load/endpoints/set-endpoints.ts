import pLimit from 'p-limit';
import { applyEndpoint, clearEndpoint } from '../../lib/client/anc/state.ts';
import type { ErsClient, Exchange, TargetConfig } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { HarnessError } from '../../lib/errors.ts';
import { ANSWER_CODES, answerCode } from '../../lib/wire/scenario.ts';
import type { LoadPlan } from '../plan/plan.ts';
import type { PoolState } from './pool-state.ts';

const TRIES = 4;
const BACKOFF_MS = 100;
const FINAL: ReadonlySet<string> = new Set(['refused-login', 'refused-by-mode']);
const SLOW: ReadonlySet<string> = new Set(['timeout', 'unreachable']);

/** What is wanted of many endpoints, and by what means. */
export interface SetEndpoints {
  readonly target: TargetConfig;
  readonly plan: LoadPlan;
  readonly client: ErsClient;
  readonly clock: Clock;
  readonly state: PoolState;
  readonly signal?: AbortSignal | undefined;
}

/** Code of an ANC answer: the state errors tell what an endpoint holds as well as a success does. */
export function codeOfAnswer({ status, headers, body }: Exchange): string {
  return answerCode(status, headers['content-type'] ?? '', headers['retry-after'] ?? '', body);
}

async function setOne(given: SetEndpoints, index: number, want: 'policy' | 'nothing'): Promise<boolean> {
  const { plan, client, clock, state } = given;
  const { macAddress } = plan.pool.at(index);
  const enough = [ANSWER_CODES.ok, want === 'policy' ? ANSWER_CODES.alreadyAssociated : ANSWER_CODES.notAssociated];
  for (let tries = 1; tries <= TRIES; tries += 1) {
    given.signal?.throwIfAborted();
    state.set(index, 'unknown');
    try {
      const answer =
        want === 'policy'
          ? await applyEndpoint(client, macAddress, plan.policy)
          : await clearEndpoint(client, macAddress);
      if (enough.some((code) => code === codeOfAnswer(answer))) {
        state.set(index, want);
        return true;
      }
    } catch (fault) {
      if (!(fault instanceof HarnessError) || FINAL.has(fault.code)) throw fault;
      // A whole time limit has passed: another would be no shorter.
      if (SLOW.has(fault.code)) return false;
    }
    if (tries < TRIES) await clock.sleep(BACKOFF_MS * 2 ** (tries - 1), given.signal);
  }
  return false;
}

/**
 * Applies the policy to endpoints or clears it, on all connections of the client at once, with retries. Returns the
 * numbers of those that the target would not change. Rejects when the login is refused and on abort.
 */
export async function setEndpoints(
  given: SetEndpoints,
  indexes: readonly number[],
  want: 'policy' | 'nothing',
): Promise<readonly number[]> {
  const slots = pLimit(given.target.connections);
  // A target that is gone is not asked for each of the others in turn.
  const patience = given.target.connections;
  const failed: number[] = [];
  let inRow = 0;
  await Promise.all(
    indexes.map((index) =>
      slots(async () => {
        const done = inRow < patience && (await setOne(given, index, want));
        inRow = done ? 0 : inRow + 1;
        if (!done) failed.push(index);
      }),
    ),
  );
  return failed;
}
