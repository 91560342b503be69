import type { Family } from '../../../lib/contract/types.ts';
import { entriesOf } from '../../../lib/wire/answer.ts';
import type { CheckContext } from '../check.ts';
import { isNumbered } from '../fields.ts';

/** Whether a filter shows a record with the number; undefined if none can tell. */
export async function isNumberListed(
  { send }: Pick<CheckContext, 'send'>,
  family: Family,
  member: string,
  value: unknown,
): Promise<boolean | undefined> {
  if (!family.filters.includes(member)) return undefined;
  const filters = [{ field: member, operator: 'EQ' as const, value: String(value) }];
  const entries = entriesOf(await send('list', { list: { filters } }, family.name));
  return entries === undefined ? undefined : entries.length > 0;
}

/** True if a number of a body that nobody asked for is that of another record. */
export async function hasTakenNumber(
  context: Pick<CheckContext, 'send' | 'family'>,
  sent: Readonly<Record<string, unknown>>,
  asked: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  for (const [member, value] of Object.entries(sent))
    if (isNumbered(context.family, member) && !(member in asked))
      if ((await isNumberListed(context, context.family, member, value)) === true) return true;
  return false;
}
