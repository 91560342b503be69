import type { Operator } from '../../../lib/contract/list.ts';
import type { Value } from './value.ts';

/** Whether upper and lower case are the same; the specification does not say, so either is allowed, but only one. */
export type CaseRule = 'sensitive' | 'insensitive';

export const CASE_RULES: readonly CaseRule[] = ['sensitive', 'insensitive'];

/** Text under a case rule. */
export function folded(text: string, rule: CaseRule): string {
  return rule === 'insensitive' ? text.toLowerCase() : text;
}

function order(left: Value, wanted: string, rule: CaseRule): number {
  if (typeof left === 'number') return Math.sign(left - Number(wanted));
  const [a, b] = [folded(String(left), rule), folded(wanted, rule)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The meaning of the ten operators, written down a second time and apart from any server: section "List query parameters".
 * Numbers compare as numbers; the text operators read a number or boolean as it is written.
 */
export function holds(operator: Operator, value: Value, wanted: string, rule: CaseRule): boolean {
  const text = folded(String(value), rule);
  const part = folded(wanted, rule);
  switch (operator) {
    case 'EQ':
      return order(value, wanted, rule) === 0;
    case 'NEQ':
      return order(value, wanted, rule) !== 0;
    case 'GT':
      return order(value, wanted, rule) > 0;
    case 'LT':
      return order(value, wanted, rule) < 0;
    case 'STARTSW':
      return text.startsWith(part);
    case 'NSTARTSW':
      return !text.startsWith(part);
    case 'ENDSW':
      return text.endsWith(part);
    case 'NENDSW':
      return !text.endsWith(part);
    case 'CONTAINS':
      return text.includes(part);
    case 'NCONTAINS':
      return !text.includes(part);
  }
}
