import { type Family, fieldsOf, hasOp } from '../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../lib/contract/vendor.ts';
import { jsonText } from '../../lib/json-text.ts';
import { idOf, isSuccess, type JsonObject, recordOf } from '../../lib/wire/answer.ts';
import type { ListItem } from '../../lib/wire/list-walk.ts';
import { isServerFilled } from '../kit/fields.ts';
import { unfilteredMembers } from '../kit/list/guessed-members.ts';
import { isOfOthers, walkWhole } from '../kit/record/finder.ts';
import { type Known, keyOf, type Write } from '../model/history.ts';
import { withOff } from '../model/value.ts';
import { note, type Session } from './session.ts';

/** Records of others that a session looks at, in a family in which it can make none. */
const MOST_LEARNED = 12;

/** True for a member that the tables name; a member that the deployment adds may change with each answer. */
function isNamed(family: Family, member: string): boolean {
  const { members = {}, listMembers } = vendorFacts(family.name);
  const asked = [...family.filters, ...family.sorts].map((field) => memberOf(family.name, field));
  return member in fieldsOf(family) || member in members || [...listMembers, ...asked].includes(member);
}

/** Members that a read shows, or what is `known` if there is no read, without those that deployments fill in; undefined if neither. */
export async function membersShown({ context }: Session, id: string, known: JsonObject | undefined) {
  const { family, send } = context;
  const answer = hasOp(family, 'read') ? await send('read', { id }) : undefined;
  const shown = answer === undefined ? known : isSuccess(answer) ? recordOf(answer) : undefined;
  if (shown === undefined || (answer !== undefined && idOf(shown) !== id)) return undefined;
  // A link is an address of the record, and none of its members: reads and lists may write it in other ways.
  const untold = ['id', 'link', ...(await unfilteredMembers(context))];
  const isTold = (member: string) =>
    !untold.includes(member) && !isServerFilled(family, member) && isNamed(family, member);
  return Object.fromEntries(Object.entries(withOff(shown, known) as JsonObject).filter(([member]) => isTold(member)));
}

/** The first pages of what is in the family. */
export const firstPages = (context: Session['context']) => walkWhole(context, undefined, 3);

/** Passes over what is there beside the known records, however it is named: no write after this made it. */
export async function passOver({ context, others }: Session): Promise<void> {
  for (const id of (await firstPages(context)).ids)
    if (isOfOthers(context, context.family.name, id)) others.passed.add(id);
}

async function theirs(session: Session): Promise<readonly Write[]> {
  const { context } = session;
  const { family } = context;
  const { items } = await firstPages(context);
  const learn = async ({ id, record }: ListItem): Promise<Write | undefined> => {
    const sent = await membersShown(session, id, record);
    return sent && { kind: 'learn', family: family.name, id, sent, form: 'json', end: 'done' };
  };
  // Records of the run come and go with the sessions that made them.
  const some = items.filter(({ id }) => isOfOthers(context, family.name, id)).slice(0, MOST_LEARNED);
  const known = await Promise.all(some.map(learn));
  // What fails beside other reads may be shown alone: then it is known, and later looks tell of the failure.
  for (const [at, item] of some.entries()) known[at] ??= await learn(item);
  return known.filter((write) => write !== undefined);
}

/** Learns a record of others as it is now. True if others changed or removed it. Of one that no list shows, nothing is known. */
export async function learnOther(session: Session, { family, id, fields }: Known): Promise<boolean> {
  const { book, context } = session;
  const sent = await membersShown(session, id, hasOp(context.family, 'read') ? fields : undefined);
  if (sent !== undefined) {
    note(session, { kind: 'learn', family, id, sent, form: 'json', end: 'done' });
    return jsonText(sent) !== jsonText(fields);
  }
  const { items, refused } = await walkWhole(context);
  if (refused !== undefined || items.some((item) => item.id === id)) return false;
  return book.delete(keyOf(family, id));
}

/** Learns the records of others as they are now, all there are in a family that is only read. True if others wrote since the last time. */
export async function learnTheirs(session: Session): Promise<boolean> {
  const { book, history } = session;
  const told = () => jsonText([...book].map(([key, { fields }]) => [key, fields]));
  const before = told();
  const now = await theirs(session);
  book.clear();
  history.length = 0;
  for (const write of now) note(session, write);
  return told() !== before;
}
