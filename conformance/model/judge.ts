import { judgeEndpoints } from './anc.ts';
import type { Difference } from './difference.ts';
import { type Book, keyOf } from './history.ts';
import { judgeList, type ListFacts } from './list.ts';
import type { EndpointsObservation, ListObservation, Observation } from './observation.ts';
import { judgeRead } from './record.ts';

const isOfList = (seen: Observation): seen is ListObservation => seen.question.window === 'list';
const isOfEndpoints = (seen: Observation): seen is EndpointsObservation => seen.question.window === 'endpoints';

/** What an observation shows that the writes so far do not allow; undefined if there is nothing. Pure, and sends nothing. */
export function judge(book: Book, seen: Observation, facts: ListFacts): Difference | undefined {
  if (isOfList(seen)) return judgeList(book, seen.question, seen.shown, facts);
  if (isOfEndpoints(seen)) {
    const { family } = seen.question;
    return (
      judgeEndpoints(facts.holdings ?? new Map(), seen) ??
      judgeList(book, { window: 'list', family, filters: [] }, seen.shown, facts)
    );
  }
  const { family, id } = seen.question;
  const homes = [family, ...(facts.table[family]?.viewOf ?? [])];
  const known = homes.map((home) => book.get(keyOf(home, id))).find((each) => each !== undefined);
  const latest = facts.latest === undefined ? undefined : book.get(facts.latest);
  return known === undefined ? undefined : judgeRead(known, seen.question, seen.shown, facts.table, latest);
}
