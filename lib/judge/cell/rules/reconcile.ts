import { ANC_OPERATION_NAMES, ANC_OPERATIONS } from '../../../contract/anc.ts';
import type { CellFacts } from '../../../records/load/load.ts';
import type { Reconciliation } from '../../../records/load/parts.ts';
import { unseenShare } from '../../../stats/anytime.ts';
import { count, counted } from '../../../text.ts';
import { examplesOf, invalid, type Judged, mayBeOfOthers, OF_OTHERS, violated } from './rule.ts';

/** What holding the list against the successes found and cost, in words. */
export function reconciliationWords(found: Reconciliation): string {
  const { acknowledged, holding = acknowledged, listed, pages, requests, seconds, skipped } = found;
  const read = found.method === 'counts' ? 'counted by beginnings of addresses' : counted(pages, 'page');
  const cost = `${counted(requests, 'request')} (${read}) in ${seconds.toFixed(1)} s`;
  if (skipped !== undefined) return `not walked: ${skipped}`;
  const kinds = [
    ['lost', found.lost],
    ['not acknowledged but listed', found.unacknowledged],
    ['of others', found.foreign],
    ['undecided', found.indeterminate],
  ] as const;
  const others = kinds.flatMap(([name, kind]) => (kind === undefined ? [] : [`${count(kind.count)} ${name}`]));
  const { wrongPolicy, late = 0, visibleAfterMs } = found;
  const policy =
    wrongPolicy === undefined ? [] : [`${wrongPolicy.count} with another policy of ${count(wrongPolicy.checked)} read`];
  const after = visibleAfterMs == null ? '' : `, the last after ${(visibleAfterMs / 1000).toFixed(1)} s`;
  const delayed = late === 0 ? [] : [`${count(late)} only when looked at again${after}`];
  const which = holding === 0 ? 'all' : count(acknowledged - holding);
  const cleared = holding === acknowledged ? '' : ` (${which} of them cleared)`;
  return `${count(acknowledged)} acknowledged${cleared}, ${count(listed)} listed: ${[...others, ...policy, ...delayed].join(', ')}; ${cost}`;
}

/** Is every acknowledged transaction in the list, if it was to be walked? If it was not, the rule says which loss could not be seen. */
export function reconcileRule({ readBack }: CellFacts): Judged[] {
  const { reconciliation: found, sampled } = readBack;
  if (found === undefined) return [];
  if (found.skipped !== undefined) {
    const share = (unseenShare(sampled) * 100).toFixed(1);
    const measured = `${reconciliationWords(found)}; a loss below ${share} % may have gone unseen by ${sampled} samples`;
    return [violated('reconciled', measured, '0 lost', null)];
  }
  const policies = policiesRule(found);
  const lost = found.lost?.count ?? 0;
  const measured = `${reconciliationWords(found)}${examplesOf(lost > 0 ? (found.lost?.examples ?? []) : [], '; ')}`;
  const holds = lost > 0 ? false : (found.indeterminate?.count ?? 0) > 0 ? null : true;
  const which = examplesOf(found.lost?.examples ?? []);
  const reason = `${count(lost)} of ${count(found.acknowledged)} acknowledged transactions are lost${which}`;
  return [violated('reconciled', measured, '0 lost', holds, lost > 0 ? { reason } : {}), ...policies];
}

const MOST_UNSEEN = 0.005;

/** Does every endpoint of the list hold the policy that was applied? Not proven if a sample leaves too large a share possible. */
function policiesRule({ wrongPolicy, holding, acknowledged }: Reconciliation): Judged[] {
  if (wrongPolicy === undefined) return [];
  const { count: wrong, checked, examples } = wrongPolicy;
  const all = holding ?? acknowledged;
  if (all === 0) return [];
  const isOfOthers = mayBeOfOthers(wrong, checked);
  const unseen = checked >= all ? 0 : unseenShare(checked);
  const left = unseen === 0 || wrong > 0 ? '' : `; up to ${(unseen * 100).toFixed(2)} % may (95 %)`;
  const seen = `${count(wrong)} of ${count(checked)} read hold another${left}`;
  const measured = `${seen}${examplesOf(wrong === 0 ? [] : examples, '; ')}${isOfOthers ? OF_OTHERS : ''}`;
  const limit = `0 of all, or of a sample that leaves at most ${MOST_UNSEEN * 100} % possible`;
  const holds = wrong > 0 ? false : unseen <= MOST_UNSEEN ? true : null;
  return [(isOfOthers ? invalid : violated)('policies-proven', measured, limit, holds)];
}

/** A boundary between buckets may fall on an arrival: one more or less in each. */
const BOUNDARY = 1;
/** Share of the successes by which the totals may differ: others may write meanwhile. */
const TOTALS_SHARE = 0.05;

/**
 * Did the number of endpoints with a policy change by as many as succeeded, if the list has a total and was not walked?
 * A failed transaction may still have had its effect, and others may write as much as they did before the load.
 */
export function totalsRule({ readBack, counts, failures, operation, stopped, ramp, plan }: CellFacts): Judged[] {
  const { totalBefore, totalAfter, driftPerSecond = 0, reconciliation } = readBack;
  const walked = reconciliation !== undefined && reconciliation.skipped === undefined;
  if (walked || totalBefore === null || totalAfter === null || stopped !== undefined) return [];
  const applies = ANC_OPERATION_NAMES.some((name) => name === operation && ANC_OPERATIONS[name].op === 'apply');
  const failed = failures.reduce((sum, { count: number }) => sum + number, 0);
  // The ramp-up changes the totals as well; what was under way when it ended may have had its effect.
  const rampSucceeded = ramp?.succeeded ?? 0;
  const open = ramp === undefined ? 0 : ramp.arrivals - ramp.succeeded - ramp.dropped;
  const succeeded = counts.started - failed + rampSucceeded;
  const changed = (totalAfter - totalBefore) * (applies ? 1 : -1);
  const drift = driftPerSecond * (plan.durationSeconds + (ramp?.seconds ?? 0));
  const slack = Math.max(BOUNDARY, Math.floor(succeeded * TOTALS_SHARE), Math.ceil(drift));
  const [least, most] = [succeeded - slack, succeeded + failed + open + slack];
  const measured = `${count(totalBefore)} before, ${count(totalAfter)} after, ${counted(succeeded, 'success', 'successes')}`;
  return [
    violated('totals-agree', measured, `${least} to ${most}`, changed >= least && changed <= most, {
      text: `the number of endpoints with a policy ${applies ? 'rose' : 'fell'} by as many as succeeded`,
    }),
  ];
}
