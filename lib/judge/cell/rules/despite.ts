import type { CellFacts, CellReport } from '../../../records/load/load.ts';
import { answerWords } from '../../../said.ts';
import { type CellWindow, countOf } from '../window.ts';
import { invalid, type Judged, violated } from './rule.ts';

/** Id of the rule: where it is broken, another try would be answered in the same way. */
const DESPITE_RULE = 'answered-with-success';

/** True if the cell proves no rate because the target answers an error to what it carries out. */
export const isAnsweredDespite = ({ rules }: Pick<CellReport, 'rules'>): boolean =>
  rules.some(({ id, holds }) => id === DESPITE_RULE && holds === false);

/**
 * Were transactions answered with success? Only if a look before the load showed that this target answers an error although the policy is
 * stored: no success, and not the failure that it says either. If nothing else speaks against the target, the cell decides nothing.
 */
export function despiteRule({ doneDespite, readBack }: CellFacts, window: CellWindow, othersHold: boolean): Judged[] {
  if (doneDespite === undefined) return [];
  const answer = answerWords(doneDespite.status, doneDespite.says);
  const count = countOf(window.arrivals, ({ kind }) => kind === 'despite');
  const measured = `${count} of ${window.count} answered ${answer} although the policy was stored or removed`;
  const proof = readBack.sampled > 0 ? ` (${readBack.proven} of ${readBack.sampled} endpoints read back show it)` : '';
  const reason = `${measured}${proof}: no rate of successes can be proven`;
  return [(othersHold ? invalid : violated)(DESPITE_RULE, measured, '0', count === 0, { reason })];
}
