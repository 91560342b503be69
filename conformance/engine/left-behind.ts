import { hasOp } from '../../lib/contract/types.ts';
import { counted } from '../../lib/numbers.ts';
import type { FamilyScope } from './context.ts';
import { removeNoted, type Teardown } from './teardown.ts';

/** Records that are tried to be removed once more: enough to tell a target that does not delete from one that does so now and then. */
const MOST_REMOVED = 20;

/**
 * Removes once more what the checks of a scope made and could not remove. Why nothing further may be made there; undefined where removing
 * works, if only now and then: a target that keeps what a run made is not given more of it.
 */
export async function leftBehind(
  run: Teardown,
  { name, made }: Pick<FamilyScope, 'name' | 'made'>,
): Promise<string | undefined> {
  const { client, table } = run;
  const family = table[name];
  const left = () => made().filter(({ id }) => client.standing(name, id) === 'ours');
  const first = left();
  for (const fixture of first.slice(0, MOST_REMOVED)) await removeNoted(run, fixture);
  const records = left().length;
  if (records > 0 && records === first.length)
    return `${counted(records, 'record')} of the first tries could not be removed`;
  const endpoints = family !== undefined && hasOp(family, 'apply') ? client.applied().length : 0;
  return endpoints > 0 ? `${counted(endpoints, 'endpoint')} of the first tries could not be cleared` : undefined;
}
