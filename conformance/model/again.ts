import type { FamilyTable } from '../../lib/contract/types.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import type { Difference } from './difference.ts';
import { bookOf } from './history.ts';
import { judge } from './judge.ts';
import type { ShownEntry } from './observation.ts';

/** Tells entries of the run by their names; if these have no beginning in common, it tells none. */
export const isNamedBy =
  ({ member, prefix }: NonNullable<Grounds['facts']['own']>) =>
  ({ record }: ShownEntry): boolean =>
    prefix !== '' && String(record[member] ?? record['name'] ?? '').startsWith(prefix);

/** What the oracle sees in the grounds of a judgement; undefined if they show no difference. Pure. */
export function judgeAgain({ facts, writes, observation }: Grounds, table: FamilyTable): Difference | undefined {
  const { own, caseRule, largestPage, latest } = facts;
  const isOurs = own && isNamedBy(own);
  return judge(bookOf(writes, table), observation, { table, caseRule, largestPage, latest, isOurs, writes });
}
