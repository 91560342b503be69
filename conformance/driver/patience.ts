import { AT_ONCE_MS, delayMs, showsAtOnce } from '../kit/delay.ts';
import { knowsOthersOnly, type Session } from './session.ts';

/** Whole windows waited in vain, before a session waits only a few times as long as the longest wait that helped. */
const MOST_IN_VAIN = 3;
const TIMES_AS_LONG = 3;

/** True while writes beside a look are on their way. */
export const isWrittenBeside = ({ isWriter, count }: Session): boolean => isWriter !== true && count.writing > 0;

/** A write may be late for once: for as long, a list may lack it. */
const SOON_MS = 1000;

/** How long the target was seen to take until it shows a write, at most: by the first ones, and by looks that had to wait since. */
const lateMs = (session: Session): number => Math.max(delayMs(session) ?? 0, session.count.helpedMs);

/** True if the first writes showed at once, and no look had to wait since. */
export const isAtOnce = (session: Session): boolean => showsAtOnce(session) && lateMs(session) <= AT_ONCE_MS;

/** For how many milliseconds after a write a look may not show it. */
export const unsureMs = (session: Session): number => (isAtOnce(session) ? SOON_MS : 2 * lateMs(session));

export const aFewTimes: Session['eventually'] = async (look) => (await look()) ?? (await look()) ?? (await look());

/** Looks a few times and no longer, if the target shows each write at once: shrinking takes many looks. */
export const hurried = (session: Session): Session['eventually'] =>
  isAtOnce(session) ? aFewTimes : session.eventually;

/** Least milliseconds that a look waits, if no longer wait has helped: more than most targets take to show a write. */
const BRIEF_MS = 300;
const briefMs = (session: Session): number => Math.max(BRIEF_MS, 1.5 * lateMs(session));

function atMost(eventually: Session['eventually'], ms: number): Session['eventually'] {
  return async (look) => {
    const until = performance.now() + ms;
    const seen = await eventually(async () => {
      const begun = performance.now();
      const value = await look();
      return value !== undefined || begun > until ? { value } : undefined;
    });
    return seen?.value;
  };
}

/** Does work in which the session waits briefly: the difference was waited for before, and is tried again at the end. */
export async function briefly<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const { eventually } = session;
  session.eventually = isAtOnce(session) ? aFewTimes : atMost(eventually, briefMs(session));
  try {
    return await work();
  } finally {
    session.eventually = eventually;
  }
}

/** How long a difference is waited for: a whole window, until a few of these were in vain. */
export function patient(session: Session): Session['eventually'] {
  const { count, eventually } = session;
  if (count.inVain < MOST_IN_VAIN) return eventually;
  // If the run wrote nothing, no write of its own shows late.
  if (lateMs(session) <= AT_ONCE_MS && (knowsOthersOnly(session) || showsAtOnce(session))) return aFewTimes;
  return atMost(eventually, Math.max(briefMs(session), TIMES_AS_LONG * count.helpedMs));
}
