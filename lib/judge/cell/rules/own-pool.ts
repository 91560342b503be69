import type { CellFacts, CellReport } from '../../../records/load/load.ts';
import { invalid, type Judged, type RuleId } from './rule.ts';

/** Rules that somebody may break who applies and clears policies on endpoints of the pool; a rate is short by the state errors of these. */
const OF_ENDPOINTS: ReadonlySet<string> = new Set<RuleId>([
  ...(['effect-proven', 'effect-proven-in-flight', 'reconciled', 'policies-proven'] as const),
  ...(['totals-agree', 'rate-held', 'slo-errors', 'not-stopped'] as const),
]);

/** True if nothing speaks against the target that somebody who writes to the pool too cannot have brought about. */
export function mayBeOfPool({
  rules,
  facts,
}: {
  readonly rules: CellReport['rules'];
  readonly facts: CellFacts;
}): boolean {
  const broken = rules.filter(({ holds, effect }) => holds === false && effect === 'violated');
  return (
    broken.length > 0 &&
    broken.every(({ id }) => OF_ENDPOINTS.has(id)) &&
    facts.failures.every(({ kind }) => kind === 'state')
  );
}

/** There only where somebody else was seen to write to the pool, and nothing else speaks against the target: then the cell proves nothing. */
export function ownPoolRule(facts: CellFacts, rules: readonly Judged[]): Judged[] {
  const { sharedPool: reason } = facts;
  if (reason === undefined || !mayBeOfPool({ rules: [...rules], facts })) return [];
  return [invalid('own-pool', 'no', 'yes', false, { reason })];
}
