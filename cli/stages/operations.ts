import type { ErsClient } from '../../lib/client/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { TargetError } from '../../lib/errors.ts';
import { EXIT } from '../../lib/exit-codes.ts';
import type { AncFindings } from '../../load/endpoints/context.ts';
import { trialPlan } from '../../load/endpoints/try-operations.ts';
import type { NamedPolicyPool } from '../../load/plan/named-pool.ts';
import { withPreparedPool } from '../../load/run/prepared-pool.ts';
import { bad, type Finding, good } from '../output/finding.ts';
import type { RunSession } from '../session/run-session.ts';

/** Tries each ANC operation once on the endpoints of a pool, and clears them again: one line for each operation. Rejects if the run was ended. */
export async function operationFindings(
  session: RunSession,
  client: ErsClient,
  named: NamedPolicyPool,
): Promise<readonly Finding[]> {
  const plan = trialPlan(named);
  let found: AncFindings | undefined;
  const result = await withPreparedPool(
    plan,
    { client, clock: systemClock, signal: session.signals.abort, onProgress: () => undefined },
    async ({ anc }) => {
      found = anc;
    },
  );
  session.addCleanup(result.cleanup);
  session.signals.abort.throwIfAborted();
  const { fault } = result;
  if (fault instanceof TargetError) {
    const mend = 'no ANC operation can be loaded before this is mended';
    return [bad('ANC', fault.message, EXIT.untested, mend)];
  }
  if (fault !== undefined) throw fault;
  return plan.cells.map(({ operation }): Finding => {
    const refused = found?.refused?.[operation];
    const subject = `ANC ${operation}`;
    if (refused === undefined) return good(subject, 'taken');
    const mend = 'this is no question of speed: a load leaves this operation out and says so';
    return bad(subject, `refused: ${refused.why}`, EXIT.refused, mend);
  });
}
