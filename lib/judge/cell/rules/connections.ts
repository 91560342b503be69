import { counted } from '../../../numbers.ts';
import type { CellFacts } from '../../../records/load/load.ts';
import { refusedWords } from '../sizing.ts';
import type { Judged } from './rule.ts';

/**
 * Did the target answer on all connections of the cell? There only where it refuses some, as a trial showed: connections beyond a cap
 * prove nothing about the rate, and the cell is not valid where transactions failed on them.
 */
export function connectionsRule({ sizing, plan, failures }: CellFacts): Judged[] {
  if (sizing?.refused === undefined) return [];
  const { refused, beside } = sizing;
  const lost = failures.reduce((sum, { kind, count }) => (kind === 'transport' ? sum + count : sum), 0);
  const used = plan.connections + beside;
  const words = refusedWords(refused);
  const reason = `${words}: the cell used ${plan.connections} and ${beside} beside them, and ${counted(lost, 'transaction')} got no answer`;
  return [
    {
      id: 'connections-served',
      text: 'the target answers on every connection of the cell',
      measured: words,
      limit: counted(used, 'connection'),
      holds: used <= refused.served || lost === 0,
      effect: 'invalid',
      reason,
    },
  ];
}
