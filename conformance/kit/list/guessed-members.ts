import { memberOf } from '../../../lib/contract/vendor.ts';
import { recordOf } from '../../../lib/wire/answer.ts';
import { pageOf } from '../../../lib/wire/list-walk.ts';
import type { CheckContext } from '../check.ts';
import { heldIn } from './value.ts';

const MOST_READ = 5;
const ASKED = ['EQ', 'STARTSW', 'CONTAINS'] as const;

type Subject = Pick<CheckContext, 'run' | 'family'>;

/** Members that filters do not read although their name says so, in families with unshown fields: they may compare codes of words. */
export async function unfilteredMembers({ run, family }: Subject): Promise<readonly string[]> {
  const guessed = family.filters.filter((field) => memberOf(family.name, field) !== field);
  if (family.fields !== 'unspecified' || guessed.length === 0) return [];
  return run.shared('unfiltered members', async ({ send }) => {
    const items = (pageOf(await send('list'))?.items ?? []).slice(0, MOST_READ);
    const records = await Promise.all(items.map(async ({ id }) => recordOf(await send('read', { id })) ?? {}));
    const unfound: string[] = [];
    for (const field of guessed) {
      const values = [...new Set(records.flatMap((record) => heldIn(family, record, field) ?? []))];
      const filters = values.flatMap((value) => ASKED.map((operator) => ({ field, operator, value: String(value) })));
      let isFound = filters.length === 0;
      for (const one of filters)
        isFound ||= pageOf(await send('list', { list: { filters: [one] } }))?.items.length !== 0;
      if (!isFound) unfound.push(memberOf(family.name, field));
    }
    return unfound;
  });
}
