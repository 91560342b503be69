import { memberOf } from '../../../lib/contract/vendor.ts';
import { idOf, recordOf } from '../../../lib/wire/answer.ts';
import { pageOf } from '../../../lib/wire/list-walk.ts';
import type { CheckContext } from '../check.ts';
import { heldIn } from './value.ts';

const MOST_READ = 5;
const ASKED = ['EQ', 'STARTSW', 'CONTAINS'] as const;

/**
 * Members that filters do not read, although their name says so, in a family whose fields are not shown: by what reads show there, no operator
 * finds a record. Such a filter may compare codes of what the member has in words.
 */
export async function unfilteredMembers({
  run,
  family,
}: Pick<CheckContext, 'run' | 'family'>): Promise<readonly string[]> {
  const guessed = family.filters.filter((field) => memberOf(family.name, field) !== field);
  if (family.fields !== 'unspecified' || guessed.length === 0) return [];
  return run.shared('unfiltered members', async ({ send }) => {
    const ids = (pageOf(await send('list'))?.items ?? []).slice(0, MOST_READ).map(({ id }) => id);
    const reads = await Promise.all(ids.map((id) => send('read', { id })));
    const records = reads.flatMap((read, at) => {
      const record = recordOf(read);
      return record !== undefined && idOf(record) === ids[at] ? [record] : [];
    });
    const wrong: string[] = [];
    for (const field of guessed) {
      const values = [...new Set(records.flatMap((record) => heldIn(family, record, field) ?? []))];
      const asked = values.flatMap((value) => ASKED.map((operator) => [{ field, operator, value: String(value) }]));
      const isEmpty = async (filters: (typeof asked)[number]) =>
        pageOf(await send('list', { list: { filters } }))?.items.length === 0;
      let isFound = asked.length === 0;
      for (const filters of asked) isFound ||= !(await isEmpty(filters));
      if (!isFound) wrong.push(memberOf(family.name, field));
    }
    return wrong;
  });
}
