import type { Family } from '../../lib/contract/types.ts';
import type { Session } from '../driver/session.ts';
import { isNumbered } from '../kit/fields.ts';
import { isNumberListed } from '../kit/record/write-attempt.ts';
import type { Fields } from '../model/history.ts';
import { isGenerated } from '../model/member.ts';

/** True if a record may have the number: one of any session on the family, one in a list, or nobody can tell. */
async function isUsed(session: Session, family: Family, member: string, value: unknown): Promise<boolean> {
  if (isGenerated(family, member, value)) return false;
  if (session.context.run.values.wasTaken(['create', 'update'], { [member]: value }, family.name)) return true;
  return (await isNumberListed(session.context, family, member, value)) ?? true;
}

/** True if a number among the fields may be that of another record. */
export async function hasUsedNumber(session: Session, family: Family, fields: Fields): Promise<boolean> {
  for (const [member, value] of Object.entries(fields))
    if (isNumbered(family, member) && (await isUsed(session, family, member, value))) return true;
  return false;
}

/** Other numbers in place of those that another record may have and that the step did not ask for: which are free is not known before. */
export async function freeNumbers(session: Session, family: Family, fields: Fields, asked: Fields): Promise<Fields> {
  const others = session.context.payload({}, family.name);
  const numbers: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(fields))
    if (isNumbered(family, member) && !(member in asked) && (await isUsed(session, family, member, value)))
      numbers[member] = others[member];
  return numbers;
}
