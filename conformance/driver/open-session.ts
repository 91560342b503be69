import type { Exchange } from '../../lib/client/types.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { isOfOthers } from '../kit/record/finder.ts';
import { withoutText } from './ask.ts';
import { firstPages, learnTheirs } from './learn-others.ts';
import { isOnlyRead, noCounts, noLessons, nothingKnown, type Session } from './session.ts';

/** A number in small letters alone, which every collation sorts alike. */
export function letters(number: number, length = 3): string {
  const places = Array.from({ length }, (_, at) => 26 ** (length - 1 - at));
  return places.map((place) => String.fromCharCode(97 + (Math.floor(number / place) % 26))).join('');
}

/** Among what is undecided: writes are refused for a moment beside nothing, too. */
export const MOMENT = 'a moment';

type Kept = Pick<Session, 'sent' | 'lessons' | 'count'>;

/** The context that keeps every exchange of the sequence at work. */
function keeping(context: Session['context'], { sent, lessons, count }: Kept): Session['context'] {
  const kept =
    <A extends readonly unknown[]>(ask: (...input: A) => Promise<Exchange>) =>
    async (...input: A): Promise<Exchange> => {
      const exchange = await ask(...input);
      sent.push(withoutText(exchange));
      if (exchange.refusedAlone !== undefined && count.writing === 0) lessons.undecided.add(MOMENT);
      return exchange;
    };
  return { ...context, send: kept(context.send), follow: kept(context.follow), raw: kept(context.raw) };
}

/** First numbers of the sessions that plans open on one family, apart so that no two give one name; pairs begin with 0. */
export const SESSIONS = { longList: 2, plans: 10, pairs: 100 } as const;

export interface Opening extends Pick<Session, 'isKnown'>, Partial<Pick<Session, 'lessons' | 'count'>> {
  /** Number of the session, if there are several on one family: no two of them give one name. */
  readonly turn?: number;
  /** What the names of its records begin with, if others than the session give them; empty: nothing. */
  readonly own?: string;
}

/** Opens a session on a family, and counts the records that others have there. */
export async function openSession(
  context: Session['context'],
  { isKnown, turn = 0, own, lessons = noLessons(context.run), count = noCounts() }: Opening,
): Promise<Session> {
  const letter = letters(Object.keys(context.table).indexOf(context.family.name)).slice(-1);
  // No name of one session begins as all of another do.
  const [alone, numbered] = context.run.isAgain ? 'xw' : 'zy';
  const mark = turn === 0 ? `${alone}${letter}` : `${numbered}${letter}${letters(turn)}`;
  let serials = 0;
  const known = nothingKnown();
  const session: Session = {
    ...{ ...known, isKnown, lessons, count },
    context: keeping(context, { ...known, lessons, count }),
    serial: () => {
      serials += 1;
      return `${mark}${letters(serials)}`;
    },
    own: own ?? `${context.run.prefix}${mark}`,
    eventually: context.eventually,
  };
  lessons.books.add(session.book);
  const { family } = context;
  if (!hasOp(family, 'list')) return session;
  const walk = await firstPages(context);
  if (isOnlyRead(family)) await learnTheirs(session);
  else for (const id of walk.ids) session.anc.others.add(id);
  if (hasOp(family, 'create'))
    for (const id of walk.ids) if (isOfOthers(context, family.name, id)) session.others.there.add(id);
  count.largestPage = Math.max(count.largestPage, ...walk.pages.map(({ items }) => items.length));
  session.others.count = walk.ids.length;
  return session;
}
