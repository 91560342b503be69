import { opRequirementId } from '../../lib/contract/requirements.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import { linkOf } from '../../lib/wire/answer.ts';
import { judgeCleared, judgeEndpoints } from './anc.ts';
import type { Difference } from './difference.ts';
import { type Book, bookOf, type Known, keyOf } from './history.ts';
import { judgeList, type ListFacts } from './list.ts';
import {
  type EndpointsObservation,
  isOfList,
  type Observation,
  type ReadObservation,
  type ShownEntry,
} from './observation.ts';
import { judgeRead, linkFault } from './record.ts';

const isOfEndpoints = (seen: Observation): seen is EndpointsObservation => seen.question.window === 'endpoints';

function ownLink(
  book: Book,
  known: Known,
  { question, shown }: ReadObservation,
  { isDead }: ListFacts,
): Difference | undefined {
  const { family, window } = question;
  const href = linkOf(shown.record ?? {});
  if (window !== 'read' || href === undefined) return undefined;
  const at = { operation: 'read', requirement: opRequirementId(family, 'read'), family, isDead } as const;
  return linkFault(known, href, at, (id) => book.has(keyOf(family, id)));
}

/** What an observation shows that the writes so far do not allow; undefined if there is nothing. Pure, and sends nothing. */
export function judge(book: Book, seen: Observation, facts: ListFacts): Difference | undefined {
  if (isOfList(seen))
    return (
      judgeList(book, seen.question, seen.shown, facts) ??
      (facts.holdings === undefined ? undefined : judgeCleared(facts.holdings, seen))
    );
  if (isOfEndpoints(seen)) {
    const { family } = seen.question;
    return (
      judgeEndpoints(facts.holdings ?? new Map(), seen, facts) ??
      judgeList(book, { window: 'list', family, filters: [] }, seen.shown, facts)
    );
  }
  const { family, id } = seen.question;
  const homes = [family, ...(facts.table[family]?.viewOf ?? [])];
  const known = homes.map((home) => book.get(keyOf(home, id))).find((each) => each !== undefined);
  if (known === undefined) return undefined;
  return judgeRead(known, seen, facts, book.get(facts.latest ?? '')) ?? ownLink(book, known, seen, facts);
}

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
