import type { Family } from '../../../lib/contract/types.ts';
import { nameMember, textMember } from '../../kit/fields.ts';
import type { Row } from './factors.ts';

/** Factors that say what a text is, and those that ask for one field. */
export const TEXTUAL: readonly string[] = ['sign', 'length', 'meaning'];
export const ASKING: readonly string[] = ['field', 'operator', 'operand', 'criteria', 'join'];

/** Lengths that leave no room for a sign, and that no name can have. */
const SHORT: ReadonlySet<string> = new Set(['empty', 'left out', 'one']);

/** True if a family has a text besides its name: then the name may hold one level, and that text another. */
export const hasText = (family: Family): boolean => textMember(family) !== nameMember(family);

/** True if the name holds the row's sign and length, or is given in other families too, and what its text looks like is left to the other text. */
export const isParted = ({ meaning = 'none', sign = 'letters', length = 'plain', elsewhere = 'none' }: Row): boolean =>
  meaning !== 'none' && (sign !== 'letters' || length !== 'plain' || elsewhere !== 'none');

/** True if the text holds the row's level of the factor: the name, or the other text. */
function holds(row: Row, factor: string, isName: boolean): boolean {
  const { meaning = 'none', sign = 'letters', length = 'plain' } = row;
  if (factor === 'meaning') return meaning === 'none' || !isName || !isParted(row);
  if (factor === 'length') return length === 'plain' || (isName ? !SHORT.has(length) : meaning === 'none');
  return sign === 'letters' || isName || (meaning === 'none' && !SHORT.has(length));
}

/** True if a row shows two levels together: a question to one field shows what that field holds, and nothing else. */
export function isTogether(family: Family, row: Row, one: string, other: string): boolean {
  const textual = [one, other].find((factor) => TEXTUAL.includes(factor));
  const asking = [one, other].find((factor) => ASKING.includes(factor) || factor === 'sort');
  if (textual === undefined || asking === undefined) return true;
  const field = asking === 'sort' ? row['sort']?.split(' ')[0] : row['field'];
  const name = nameMember(family);
  return (
    field === undefined ||
    ![name, 'name', textMember(family)].includes(field) ||
    holds(row, textual, field !== textMember(family) || !hasText(family))
  );
}
