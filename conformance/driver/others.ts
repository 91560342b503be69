import { opRequirementId } from '../../lib/contract/requirements.ts';
import { type Family, fieldsOf, hasOp } from '../../lib/contract/types.ts';
import { memberOf, vendorFacts } from '../../lib/contract/vendor.ts';
import { groupBy } from '../../lib/group-by.ts';
import { jsonText } from '../../lib/json-text.ts';
import { present } from '../../lib/present.ts';
import { idOf, isSuccess, type JsonObject, recordOf } from '../../lib/wire/answer.ts';
import type { ListItem } from '../../lib/wire/list-walk.ts';
import { isServerFilled, nameMember } from '../kit/fields.ts';
import { unfilteredMembers } from '../kit/list/guessed-members.ts';
import { walkWhole } from '../kit/record/finder.ts';
import { endpointIn } from '../model/anc.ts';
import type { Difference } from '../model/difference.ts';
import { type Known, keyOf, type Write } from '../model/history.ts';
import {
  type EndpointsObservation,
  type ListObservation,
  listText,
  type Observation,
  subjectOf,
} from '../model/observation.ts';
import { type Asked, askBeside } from './ask.ts';
import { note, type Session, viewIn } from './session.ts';

type Pages = ListObservation['shown']['pages'];

/** True for the id of no record of the run, removed ones among them. */
export const isOfOthers = ({ ledger }: Session['context'], family: string, id: string): boolean =>
  (ledger.standing(family, id) ?? 'foreign') === 'foreign';

/** True if a list shows a record under a name of the run that was free, and a read shows nothing else that the run wrote: somebody else made it. The next look knows it. */
export async function isOfNamesake(
  { context: { ledger, send, table } }: Session,
  { family, record }: Difference,
  seen: Observation,
): Promise<boolean> {
  const entry = showsPages(seen) ? seen.shown.pages.flat().find(({ id }) => keyOf(family, id) === record) : undefined;
  if (entry === undefined || ledger.standing(family, entry.id) !== undefined) return false;
  for (const home of table[family]?.viewOf ?? [family]) {
    const read = () => send('read', { id: entry.id }, home);
    const shape = table[home];
    if (shape === undefined || !hasOp(shape, 'read') || !isSuccess(await read())) continue;
    const name = entry.record[nameMember(shape) ?? 'name'];
    if (typeof name !== 'string' || !ledger.adopt({ family: home, id: entry.id, name })) return false;
    await read();
    return ledger.leftAlone().some(({ id, kind }) => id === entry.id && kind === 'namesake');
  }
  return false;
}

function othersOn({ context, anc }: Session, family: string, pages: Pages): readonly string[] {
  const ids = new Set(pages.flat().map(({ id }) => id));
  // Records of endpoints are made by applies: what this run put a policy on is its own.
  const isApplied = (id: string) => {
    const read = anc.read.get(id);
    return read !== undefined && anc.holdings.has(endpointIn({ id, record: {}, read }).address ?? '');
  };
  return [...ids].filter((id) => isOfOthers(context, family, id) && !isApplied(id)).sort();
}

export const showsPages = (seen: Observation & Asked): seen is (ListObservation | EndpointsObservation) & Asked =>
  'pages' in seen.shown;

/** True if looks at one list show that somebody else's records came or went: on its first page, or in all of it. */
function isWrittenTo(session: Session, looks: readonly (ListObservation | EndpointsObservation)[]): boolean {
  const others = ({ question, shown }: (typeof looks)[number], pages: number) =>
    othersOn(session, question.family, shown.pages.slice(0, pages)).join();
  const whole = looks.filter(({ shown }) => shown.end === 'whole').map((seen) => others(seen, seen.shown.pages.length));
  const first = looks.map((seen) => others(seen, 1));
  return new Set(whole).size > 1 || new Set(first).size > 1;
}

/** The one rule for others who write: true if a list was read on several pages, and another session of the run, anybody else by looks at the same list, or the sequence itself (`isBeside`) wrote meanwhile. */
export function isTorn(session: Session, looks: readonly (Observation & Asked)[], isBeside = false): boolean {
  const lists = looks.filter(showsPages);
  const byFamily = [...groupBy(lists, ({ question }) => question.family).values()];
  const isWritten = byFamily.some((same) => new Set(same.flatMap(({ meanwhile = [] }) => meanwhile)).size > 1);
  const isPaged = ({ shown: { pages, end } }: (typeof lists)[number]) =>
    pages.length > 1 || (pages.length === 1 && end !== 'whole');
  const sameLists = [...groupBy(lists, ({ question }) => JSON.stringify(question)).values()];
  return lists.some(isPaged) && (isBeside || isWritten || sameLists.some((same) => isWrittenTo(session, same)));
}

async function othersIn(session: Session): Promise<ReadonlySet<string> | undefined> {
  const { context } = session;
  const view = viewIn(session);
  const ask = (family: string) => askBeside(session, { window: 'list', family, filters: [], size: 50 });
  const lists = await Promise.all(present(context.family.name, view).map(ask));
  const whole = lists.flatMap((one) => (one?.shown.end === 'whole' ? one : []));
  if (whole.length < lists.length) return undefined;
  return new Set(whole.flatMap(({ question, shown }) => othersOn(session, question.family, shown.pages)));
}

/** Notices whether a list of everything in the family shows other records of others than the last such list: one that comes back was never gone. */
export function noticeOthers(session: Session, { question, shown }: ListObservation | EndpointsObservation): void {
  const { context, others } = session;
  const isAll = !('filters' in question) || question.filters.length === 0;
  if (!isAll || shown.end !== 'whole' || question.family !== context.family.name) return;
  // Whose endpoint a record is of, only a read tells.
  if ('filters' in question && hasOp(context.family, 'apply')) return;
  const now = new Set(othersOn(session, question.family, shown.pages));
  for (const id of others.shown ?? []) if (!now.has(id)) others.gone.add(id);
  for (const id of now) if (others.shown?.has(id) === false && !others.gone.delete(id)) others.isGrowing = true;
  others.shown = now;
}

/** A record of others that a whole list on one page lacks, and that is there before and after the whole visibility window: ids are not given twice. `again`: asks the same once more. */
export async function missedOther(
  session: Session,
  { question, shown }: ListObservation,
  again: () => Promise<ListObservation>,
): Promise<Difference | undefined> {
  const { context, others } = session;
  const isAll = question.filters.length === 0 && question.family === context.family.name;
  if (!isAll || shown.end !== 'whole' || shown.pages.length !== 1) return undefined;
  const idsOn = ({ pages }: ListObservation['shown']) => new Set(pages.flat().map(({ id }) => id));
  const ids = idsOn(shown);
  const missing = [...others.there].filter((id) => !ids.has(id));
  // Somebody may have removed them: they are not looked for again.
  for (const id of missing) others.there.delete(id);
  if (missing.length === 0) return undefined;
  await session.eventually(async () => undefined);
  const later = idsOn((await again()).shown);
  const id = missing.find((each) => later.has(each));
  if (id === undefined) return undefined;
  return {
    requirement: opRequirementId(question.family, 'list'),
    about: { kind: 'records', operation: 'list', subject: subjectOf(question), record: id, times: 0 },
    family: question.family,
    expected: `the record ${id}, which was there before and is there after, in ${listText(question)}`,
    observed: `not among ${shown.pages.flat().length}`,
  };
}

/** True if somebody else adds or removes records of the family: seen before, or over the whole visibility window. One that comes and goes more than once nobody wrote: ids are not given twice. */
export async function doOthersWrite(session: Session): Promise<boolean> {
  if (session.others.isGrowing || session.others.gone.size > 0) return true;
  const seen: ReadonlySet<string>[] = [];
  await session.context.eventually(async () => {
    const ids = await othersIn(session);
    if (ids !== undefined) seen.push(ids);
    return undefined;
  });
  const turns = (id: string) => seen.filter((ids, at) => at > 0 && ids.has(id) !== seen[at - 1]?.has(id)).length;
  return [...new Set(seen.flatMap((ids) => [...ids]))].some((id) => turns(id) === 1);
}

/** Records of others that a session looks at, in a family in which it can make none. */
const MOST = 12;

/** True for a member that the tables name; what others a deployment adds may be another with each answer. */
function isNamed(family: Family, member: string): boolean {
  const { members = {}, listMembers } = vendorFacts(family.name);
  const asked = [...family.filters, ...family.sorts].map((field) => memberOf(family.name, field));
  return member in fieldsOf(family) || member in members || [...listMembers, ...asked].includes(member);
}

/** What a read shows of a record, or what is known of it if there is no read, without what deployments fill in; undefined if nothing does. */
export async function membersShown({ context }: Session, id: string, known: JsonObject | undefined) {
  const { family, send } = context;
  const answer = hasOp(family, 'read') ? await send('read', { id }) : undefined;
  const shown = answer === undefined ? known : isSuccess(answer) ? recordOf(answer) : undefined;
  if (shown === undefined || (answer !== undefined && idOf(shown) !== id)) return undefined;
  // A link is an address of the record, and none of its members: reads and lists may write it in other ways.
  const untold = ['id', 'link', ...(await unfilteredMembers(context))];
  const isTold = (member: string) =>
    !untold.includes(member) && !isServerFilled(family, member) && isNamed(family, member);
  return Object.fromEntries(Object.entries(shown).filter(([member]) => isTold(member)));
}

/** The first pages of what is in the family. */
export const firstPages = (context: Session['context']) => walkWhole(context, undefined, 3);

async function theirs(session: Session): Promise<readonly Write[]> {
  const { context } = session;
  const { family } = context;
  const { items } = await firstPages(context);
  const learn = async ({ id, record }: ListItem): Promise<Write | undefined> => {
    const sent = await membersShown(session, id, record);
    return sent && { kind: 'learn', family: family.name, id, sent, form: 'json', end: 'done' };
  };
  // Records of the run come and go with the sessions that made them.
  const some = items.filter(({ id }) => isOfOthers(context, family.name, id)).slice(0, MOST);
  const known = await Promise.all(some.map(learn));
  // What fails beside other reads may be shown alone: then it is known, and later looks tell of the failure.
  for (const [at, item] of some.entries()) known[at] ??= await learn(item);
  return known.filter((write) => write !== undefined);
}

/** Takes a record of others for known as it is now. True if others changed or removed it: of one that no list shows, nothing is known. */
export async function learnOther(session: Session, { family, id, fields }: Known): Promise<boolean> {
  const { book, context } = session;
  const sent = await membersShown(session, id, undefined);
  if (sent !== undefined) {
    note(session, { kind: 'learn', family, id, sent, form: 'json', end: 'done' });
    return jsonText(sent) !== jsonText(fields);
  }
  const { items, refused } = await walkWhole(context);
  if (refused !== undefined || items.some((item) => item.id === id)) return false;
  return book.delete(keyOf(family, id));
}

/** Takes records of others for known as they are now: in a family that is only read they are all there is. True if others wrote since they were learned. */
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
