import type { Difference } from '../../conformance/model/difference.ts';
import { bookOf, keyOf } from '../../conformance/model/history.ts';
import { judgeAgain } from '../../conformance/model/judge.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import type { Claim, Expected } from './script.ts';

/** How the request has to be answered, and what is claimed of the answer; a text says why that cannot be written down. */
export type Asserted = { readonly expects: Expected; readonly claims: readonly Claim[] } | string;

export const taken = (...claims: readonly Claim[]): Asserted => ({ expects: 'taken', claims });

/** That an answer holds texts in this order, or not all of them. */
const holds = (isThere: boolean, ...texts: readonly string[]): Claim => ({ kind: 'holds', texts, isThere });

const MOST_PAIRS = 20;

/** Of a walk, each two neighbors in the wrong order: where a page ends elsewhere, some may stand right by chance. */
function misplaced({ facts, writes, observation }: Grounds, table: FamilyTable): readonly Claim[] {
  if (!('pages' in observation.shown) || !('filters' in observation.question)) return [];
  const { question, shown } = observation as Extract<Grounds['observation'], { shown: { pages: unknown } }>;
  const own = shown.pages.flat().filter(({ id }) => writes.some((write) => write.id === id));
  const isWrong = (...entries: typeof own) => {
    const some = writes.filter((write) => entries.some(({ id }) => id === write.id));
    const alone = { question, shown: { ...shown, pages: [entries] } };
    return judgeAgain({ facts, writes: some, observation: alone }, table)?.about.subject.startsWith('sort ');
  };
  const wrong = own.flatMap((later, at) => {
    const earlier = own[at - 1];
    const isOne = earlier !== undefined && earlier.id !== later.id && isWrong(earlier, later);
    return isOne ? [holds(true, later.id, earlier.id)] : [];
  });
  return wrong.slice(0, MOST_PAIRS);
}

/** Of a list: a record too many or too few, two in the wrong order, or a wrong member of an entry. */
function ofList(difference: Difference, grounds: Grounds, table: FamilyTable): Asserted {
  const { about, record = '', holder = '', pair = [], requirement } = difference;
  const { shown } = grounds.observation;
  if (!('pages' in shown)) return 'the answer is no list';
  // A link that is refused ends the walk.
  if (about.kind === 'refused') return taken();
  const book = bookOf(grounds.writes, table);
  if (about.kind === 'records') {
    const id = book.get(record)?.id;
    if (id === undefined) return 'it is about a record of which only the target knows the id';
    const times = shown.pages.flat().filter((entry) => entry.id === id).length;
    // A page that is not the last one, and does not say so, ends every walk.
    if (times === 0 && shown.pages.length === 1 && requirement === 'LST-NEXT') return taken(holds(true, '"nextPage"'));
    // In quotes: the address in the link of an entry ends with the id, too.
    return taken(times > 1 ? holds(false, `"${id}"`, `"${id}"`) : holds(times === 0, id));
  }
  if (about.subject.startsWith('sort ')) {
    const pairs = shown.pages.length > 1 ? misplaced(grounds, table) : [];
    const ids = pair.flatMap((key) => book.get(key)?.id ?? []).toReversed();
    if (pairs.length > 0) return taken(...pairs);
    return ids.length < 2 ? 'the records in the wrong order cannot be told' : taken(holds(true, ...ids));
  }
  const member = /^member (\S+)$/.exec(about.subject)?.[1];
  const known = book.get(holder);
  if (member === undefined || known === undefined || !(member in known.fields) || shown.pages.length > 1)
    return 'its list entry cannot be told';
  return taken({ kind: 'member', member, value: known.fields[member], entry: known.id });
}

function ofRead({ about, expected }: Difference, { writes, observation }: Grounds, table: FamilyTable): Asserted {
  const { question, shown } = observation;
  if (!('id' in question) || !('status' in shown)) return 'the answer is no record';
  const homes = [question.family, ...(table[question.family]?.viewOf ?? [])];
  const book = bookOf(writes, table);
  const known = homes.map((home) => book.get(keyOf(home, question.id))).find((each) => each !== undefined);
  if (known === undefined) return 'the record is not known';
  if (known.isLive === false) return { expects: 'refused', claims: [] };
  const record = 'record' in shown ? shown.record : undefined;
  if (record === undefined) return about.kind === 'no-effect' ? taken() : 'the answer is no record';
  if (question.form === 'xml') return 'it shows in XML only';
  const isSame = (name: string) => JSON.stringify(record[name]) === JSON.stringify(known.fields[name]);
  // What a write did to another record is told in words.
  const told = Object.keys(known.fields).find((name) => expected.includes(` ${name} `) && !isSame(name));
  const member = /^member (\S+)$/.exec(about.subject)?.[1] ?? told;
  if (member === 'id') return taken({ kind: 'member', member, value: known.id });
  if (member === undefined || !(member in known.fields)) return `it is about ${about.subject}`;
  const value = known.fields[member];
  return taken({ kind: 'member', member, value, ...(isSame(member) ? { isNot: true } : {}) });
}

/** What has to be claimed so that the answer that was seen fails, and every answer without the difference passes. */
export function claimsOf(difference: Difference, grounds: Grounds, table: FamilyTable): Asserted {
  return grounds.observation.question.window === 'list'
    ? ofList(difference, grounds, table)
    : ofRead(difference, grounds, table);
}

export const namedIn = (claims: readonly Claim[]): readonly string[] =>
  claims.flatMap((claim) => {
    if (claim.kind === 'holds') return claim.texts.map((text) => text.replaceAll('"', ''));
    return claim.kind === 'member' ? (claim.entry ?? []) : [];
  });
