import type { Operator } from '../../../lib/contract/list.ts';
import type { Value } from './value.ts';

/** Whether upper and lower case are the same; the specification does not say, so either is allowed, but only one. */
export type CaseRule = 'sensitive' | 'insensitive';

function order(left: Value, wanted: string): number {
  if (typeof left === 'number') return Math.sign(left - Number(wanted));
  const text = String(left);
  return text < wanted ? -1 : text > wanted ? 1 : 0;
}

/**
 * The meaning of the ten operators, written down a second time and apart from any server: section "List query parameters".
 * Numbers compare as numbers; the text operators read a number or boolean as it is written.
 */
export function holds(operator: Operator, value: Value, wanted: string): boolean {
  const text = String(value);
  switch (operator) {
    case 'EQ':
      return order(value, wanted) === 0;
    case 'NEQ':
      return order(value, wanted) !== 0;
    case 'GT':
      return order(value, wanted) > 0;
    case 'LT':
      return order(value, wanted) < 0;
    case 'STARTSW':
      return text.startsWith(wanted);
    case 'NSTARTSW':
      return !text.startsWith(wanted);
    case 'ENDSW':
      return text.endsWith(wanted);
    case 'NENDSW':
      return !text.endsWith(wanted);
    case 'CONTAINS':
      return text.includes(wanted);
    case 'NCONTAINS':
      return !text.includes(wanted);
  }
}
