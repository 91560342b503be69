import { othersInPool, strayed } from '../../lib/client/anc/shared-pool.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import type { RunScope } from './context.ts';

/** What is wrong whatever endpoints hold: the form of an answer, and members of records. */
const OF_FORM = /^(envelope|links|version|member |header |media type |parameter |refusal |id )/;
const OF_ENDPOINTS: ReadonlySet<string> = new Set(['apply', 'clear', 'bulkSubmit', 'bulkMonitor']);

/**
 * The result, unless it is a failure that somebody may have brought about who applies and clears policies in the pool of the run: it is
 * inconclusive once such a one is seen, or if no second try fails and a policy of the run is on an endpoint that the run never named.
 */
export async function besideOthers(result: ConformanceResult, run: RunScope): Promise<ConformanceResult> {
  const { client, clock, signal, table, visibilityMs } = run;
  const { failure, expected, observed, flaky, onlyIf: _, covers: __, difference: ___, ...plain } = result;
  const { verdict, family } = plain;
  const isOfPool = table[family]?.ops.includes('apply') === true;
  if ((verdict !== 'fail' && verdict !== 'warn') || !isOfPool || failure === undefined) return result;
  if (!OF_ENDPOINTS.has(failure.operation) && OF_FORM.test(failure.subject)) return result;
  const [astray] = flaky === true || failure.unsteady === 'once' ? strayed(client) : [];
  const why =
    (await othersInPool(client, { clock, signal, settleMs: visibilityMs })) ??
    (astray && `${astray} holds a policy of the run, which never named it, and no second try failed`);
  if (why === undefined) return result;
  return {
    ...plain,
    verdict: 'inconclusive',
    reason: `${why}. Without that: expected ${expected}; observed ${observed}`,
  };
}
