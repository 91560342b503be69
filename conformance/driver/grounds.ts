import { cutText, Grounds, MOST_ENTRIES } from '../../lib/records/histories.ts';
import { nameMember } from '../kit/fields.ts';
import { type Difference, differenceKey } from '../model/difference.ts';
import { type Known, keyOf } from '../model/history.ts';
import { judgeAgain } from '../model/judge.ts';
import { isOfList, type ListObservation, type Observation, type ShownEntry } from '../model/observation.ts';
import { factsOf, type Session } from './session.ts';

function kept(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, held: unknown) => (typeof held === 'string' ? cutText(held) : held)));
}

/** The list with known records as they were shown. Of records of others, only the id, as far as there is room. */
function short(seen: ListObservation, isKnown: (entry: ShownEntry) => boolean): ListObservation {
  const { pages } = seen.shown;
  let room = MOST_ENTRIES - pages.flat().filter(isKnown).length;
  const entry = (shown: ShownEntry): readonly ShownEntry[] => {
    if (isKnown(shown)) return [shown];
    room -= 1;
    return room < 0 ? [] : [{ id: shown.id, record: {} }];
  };
  return { ...seen, shown: { ...seen.shown, pages: pages.map((entries) => entries.flatMap(entry)) } };
}

/** Keys of the records that an observation is about: shown ones, those that a list may lack, and the one written last. */
function aboutIn({ book, labels, context: { table } }: Session, seen: Observation, latest = ''): ReadonlySet<string> {
  const { family } = seen.question;
  const homes = table[family]?.viewOf ?? [family];
  const id = 'id' in seen.question ? seen.question.id : '';
  if (!isOfList(seen)) return new Set([latest, ...homes.map((home) => keyOf(home, id))]);
  const shown = new Set(seen.shown.pages.flat().map(({ id }) => id));
  const own = new Set(labels.values());
  const isAbout = (key: string, { id, isLive }: Known) => isLive !== false || shown.has(id) || own.has(key);
  const about = [...book].filter(([key, known]) => homes.includes(known.family) && isAbout(key, known));
  return new Set([latest, ...about.map(([key]) => key)]);
}

/** What a difference rests on, as plain data within bounds; undefined if that is too little to show it again. */
export function groundsOf(session: Session, seen: Observation, difference: Difference): Grounds | undefined {
  const { history, book, context } = session;
  const { caseRule, largestPage, shownOff, latest, isOurs } = factsOf(session);
  const own = isOurs && { member: nameMember(context.family) ?? 'name', prefix: session.own };
  const about = aboutIn(session, seen, latest);
  const writes = history.filter(({ family, id }) => about.has(keyOf(family, id)));
  const ids = new Set([...book.values()].map(({ id }) => id));
  const { question, shown } = isOfList(seen)
    ? short(seen, (entry) => ids.has(entry.id) || isOurs?.(entry) === true)
    : seen;
  // As it will be read: what the schema bounds, or does not know, is not kept.
  const { data: grounds } = Grounds.safeParse(
    kept({ facts: { caseRule, largestPage, shownOff, latest, own }, writes, observation: { question, shown } }),
  );
  const again = grounds && judgeAgain(grounds, context.table);
  return again !== undefined && differenceKey(again) === differenceKey(difference) ? grounds : undefined;
}
