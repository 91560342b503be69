import { judgeAgain } from '../../conformance/model/again.ts';
import type { Difference } from '../../conformance/model/difference.ts';
import { bookOf, keyOf } from '../../conformance/model/history.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import type { Claim, Expected } from './script.ts';

/** How the request has to be answered, and what is claimed of the answer; a text says why that cannot be written down. */
export type Asserted = { readonly expects: Expected; readonly claims: readonly Claim[] } | string;

const taken = (...claims: readonly Claim[]): Asserted => ({ expects: 'taken', claims });

/** Pairs of claims about order, at most. */
const MOST_PAIRS = 20;

/** Ids of two records each that a walk shows one behind the other in the wrong order, as they should be. */
function misplaced({ facts, writes, observation }: Grounds, table: FamilyTable): readonly (readonly string[])[] {
  if (!('pages' in observation.shown) || !('filters' in observation.question)) return [];
  const { question, shown } = observation as Extract<Grounds['observation'], { shown: { pages: unknown } }>;
  const own = shown.pages.flat().filter(({ id }) => writes.some((write) => write.id === id));
  const isWrong = (...entries: typeof own) => {
    const some = writes.filter((write) => entries.some(({ id }) => id === write.id));
    const alone = { question, shown: { ...shown, pages: [entries] } };
    const seen = judgeAgain({ facts, writes: some, observation: alone }, table);
    return seen?.about.kind === 'value' && seen.about.subject.startsWith('sort ');
  };
  const wrong = own.flatMap((later, at) => {
    const earlier = own[at - 1];
    const isOne = earlier !== undefined && earlier.id !== later.id && isWrong(earlier, later);
    return isOne ? [[later.id, earlier.id]] : [];
  });
  // Where a page ends elsewhere, some of them may stand right by chance.
  return wrong.slice(0, MOST_PAIRS);
}

/** Of a list: a record too many or too few, two in the wrong order, or a wrong member of an entry. */
function ofList({ about, record, requirement }: Difference, grounds: Grounds, table: FamilyTable): Asserted {
  const { writes, observation } = grounds;
  const { shown } = observation;
  if (!('pages' in shown)) return 'the answer is no list';
  const book = bookOf(writes, table);
  const ids = shown.pages.flat().map(({ id }) => id);
  if (about.kind === 'records') {
    const known = record === undefined ? undefined : book.get(record);
    if (known === undefined) return 'it is about a record of which only the target knows the id';
    const times = ids.filter((id) => id === known.id).length;
    // A page that is not the last one, and does not say so, ends every walk.
    if (times === 0 && shown.pages.length === 1 && requirement === 'LST-NEXT')
      return taken({ kind: 'holds', texts: ['"nextPage"'], isThere: true });
    // In quotes: the address in the link of an entry ends with the id, too.
    if (times > 1) return taken({ kind: 'holds', texts: [`"${known.id}"`, `"${known.id}"`], isThere: false });
    return taken({ kind: 'holds', texts: [known.id], isThere: times === 0 });
  }
  const pairs = about.kind === 'value' && shown.pages.length > 1 ? misplaced(grounds, table) : [];
  if (pairs.length > 0) return taken(...pairs.map((texts) => ({ kind: 'holds' as const, texts, isThere: true })));
  const own = ids.filter((id) => [...book.values()].some((known) => known.id === id));
  const [one, other] = own;
  if (about.subject.startsWith('sort ') && one !== undefined && other !== undefined && own.length === 2)
    return taken({ kind: 'holds', texts: [other, one], isThere: true });
  const member = /^member (\S+)$/.exec(about.subject)?.[1];
  const entry = [...book.values()].find(
    ({ id, fields }) => ids.includes(id) && member !== undefined && member in fields,
  );
  if (member === undefined || entry === undefined || own.length !== 1 || shown.pages.length > 1)
    return 'its list entry cannot be told';
  return taken({ kind: 'member', member, value: entry.fields[member], entry: entry.id });
}

function ofRead({ about }: Difference, { writes, observation }: Grounds, table: FamilyTable): Asserted {
  const { question, shown } = observation;
  if (!('id' in question) || !('status' in shown)) return 'the answer is no record';
  const homes = [question.family, ...(table[question.family]?.viewOf ?? [])];
  const book = bookOf(writes, table);
  const known = homes.map((home) => book.get(keyOf(home, question.id))).find((each) => each !== undefined);
  if (known === undefined) return 'the record is not known';
  if (known.isLive === false) return { expects: 'refused', claims: [] };
  if (about.kind === 'no-effect') return taken();
  if (question.form === 'xml') return 'it shows in XML only';
  const member = /^member (\S+)$/.exec(about.subject)?.[1];
  if (member === 'id') return taken({ kind: 'member', member, value: known.id });
  if (member === undefined || !(member in known.fields)) return `it is about ${about.subject}`;
  const value = known.fields[member];
  const isShown = 'record' in shown && JSON.stringify(shown.record?.[member]) === JSON.stringify(value);
  return taken({ kind: 'member', member, value, ...(isShown ? { isNot: true } : {}) });
}

/** What has to be claimed so that the answer that was seen fails, and every answer without the difference passes. */
export function claimsOf(difference: Difference, grounds: Grounds, table: FamilyTable): Asserted {
  return grounds.observation.question.window === 'list'
    ? ofList(difference, grounds, table)
    : ofRead(difference, grounds, table);
}
