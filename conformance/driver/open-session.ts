import { hasOp } from '../../lib/contract/types.ts';
import { idOf, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { walkList } from '../../lib/wire/list-walk.ts';
import { isServerFilled } from '../kit/fields.ts';
import { requesterOf } from '../kit/list/list-reader.ts';
import { note, type Session } from './session.ts';

/** Records of others that a session looks at, in a family in which it can make none. */
const MOST_THEIRS = 12;

/** A number in small letters alone, which every collation sorts alike. */
function letters(number: number): string {
  return [676, 26, 1].map((unit) => String.fromCharCode(97 + (Math.floor(number / unit) % 26))).join('');
}

/** Opens a session on a family, and counts the records that others have there. */
export async function openSession(
  context: Session['context'],
  { isKnown }: { readonly isKnown: Session['isKnown'] },
): Promise<{ readonly session: Session; readonly foreign: number }> {
  const mark = letters(Object.keys(context.table).indexOf(context.family.name)).slice(-1);
  let serials = 0;
  const session: Session = {
    ...{
      context,
      isKnown,
      history: [],
      book: new Map(),
      labels: new Map(),
      kept: new Map(),
      touched: new Set(),
      sent: [],
    },
    lessons: { taken: new Set(), undecided: new Set() },
    anc: {
      ...{ history: [], holdings: new Map(), others: new Set(), read: new Map(), touched: new Set() },
      ...{ cleared: new Set(), reusesIds: false, isOff: false, isStuck: false, turn: 0 },
    },
    serial: () => {
      serials += 1;
      return `z${mark}${letters(serials)}`;
    },
    own: `${context.run.prefix}z${mark}`,
    count: { comparisons: 0, flying: 0, largestPage: 0 },
    eventually: context.eventually,
  };
  const { family } = context;
  if (!hasOp(family, 'list')) return { session, foreign: 0 };
  const walk = await walkList(requesterOf(context), { list: { size: 100 } }, { pages: 3, anySize: true });
  if (!hasOp(family, 'create') && !hasOp(family, 'apply')) await learnTheirs(session, walk.items.slice(0, MOST_THEIRS));
  else for (const id of walk.ids) session.anc.others.add(id);
  session.count.largestPage = Math.max(0, ...walk.pages.map(({ items }) => items.length));
  return { session, foreign: walk.ids.length };
}

/** Takes records of others for known, as they are now: in a family that is only read they are all there is. */
async function learnTheirs(
  session: Session,
  items: readonly { readonly id: string; readonly record: Readonly<Record<string, unknown>> }[],
): Promise<void> {
  const { context } = session;
  const { family } = context;
  for (const { id, record } of items) {
    const answer = hasOp(family, 'read') ? await context.send('read', { id }) : undefined;
    const shown = answer === undefined ? record : isSuccess(answer) ? recordOf(answer) : undefined;
    if (shown === undefined || (answer !== undefined && idOf(shown) !== id)) continue;
    const told = Object.entries(shown).filter(([member]) => member !== 'id' && !isServerFilled(family, member));
    const sent = Object.fromEntries(told);
    note(session, { kind: 'learn', family: family.name, id, sent, form: 'json', end: 'done' });
  }
}
