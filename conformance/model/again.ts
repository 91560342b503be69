import type { FamilyTable } from '../../lib/contract/types.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import type { Difference } from './difference.ts';
import { bookOf } from './history.ts';
import { judge } from './judge.ts';

/** What the oracle sees in the grounds of a judgement; undefined if they show no difference. Pure. */
export function judgeAgain({ facts, writes, observation }: Grounds, table: FamilyTable): Difference | undefined {
  const { caseRule, largestPage, latest } = facts;
  return judge(bookOf(writes, table), observation, { table, caseRule, largestPage, latest });
}
