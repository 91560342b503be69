import { opRequirementId } from '../../lib/contract/requirements.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { groupBy } from '../../lib/group-by.ts';
import { present } from '../../lib/present.ts';
import { isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { nameMember } from '../kit/fields.ts';
import { isOfOthers } from '../kit/record/finder.ts';
import { endpointIn } from '../model/anc.ts';
import type { Difference } from '../model/difference.ts';
import { keyOf } from '../model/history.ts';
import {
  type EndpointsObservation,
  isOfList,
  type ListObservation,
  listText,
  type Observation,
  type ShownEntry,
  subjectOf,
} from '../model/observation.ts';
import { type Asked, askBeside } from './ask.ts';
import { type Session, viewIn } from './session.ts';

type Pages = ListObservation['shown']['pages'];

/** True if a list shows a record under a name of the run that was free, and a read proves somebody else made it. The next look knows it. */
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

/** Records of others that a session reads to learn their names, at most. */
const MOST_NAMES = 20;

/** The same list with the names of records that came since the session began, if it shows none: only a read tells whose they are. */
export async function withNames(session: Session, seen: Observation & Asked): Promise<Observation & Asked> {
  const { context, others } = session;
  const { family } = context;
  const isOwn = isOfList(seen) && seen.question.family === family.name && !hasOp(family, 'apply');
  // If names have no beginning in common, none tells.
  if (!isOwn || !hasOp(family, 'read') || session.own === '') return seen;
  const member = nameMember(family) ?? 'name';
  const isNew = ({ id, record }: ShownEntry) =>
    (record[member] ?? record['name']) === undefined && !others.there.has(id) && isOfOthers(context, family.name, id);
  const foreign = () => [...others.names.values()].filter((name) => !`${name}`.startsWith(session.own));
  const fresh = seen.shown.pages.flat().filter(isNew);
  if (fresh.length === 0) return seen;
  for (const { id } of fresh) {
    if (others.names.has(id) || foreign().length >= MOST_NAMES) continue;
    others.names.set(id, recordOf(await context.send('read', { id }))?.[member]);
  }
  const named = (entry: ShownEntry): ShownEntry =>
    isNew(entry) && others.names.has(entry.id)
      ? { ...entry, record: { ...entry.record, [member]: others.names.get(entry.id) } }
      : entry;
  return { ...seen, shown: { ...seen.shown, pages: seen.shown.pages.map((entries) => entries.map(named)) } };
}

/** True if looks at one list show that somebody else's records came or went: on its first page, or in all of it. */
function isWrittenTo(session: Session, looks: readonly (ListObservation | EndpointsObservation)[]): boolean {
  const others = ({ question, shown }: (typeof looks)[number], pages: number) =>
    othersOn(session, question.family, shown.pages.slice(0, pages)).join();
  const whole = looks.filter(({ shown }) => shown.end === 'whole').map((seen) => others(seen, seen.shown.pages.length));
  const first = looks.map((seen) => others(seen, 1));
  return new Set(whole).size > 1 || new Set(first).size > 1;
}

/**
 * The one rule for others who write: true if a list was read on several pages, and another session
 * of the run, anybody else by looks at the same list, or the sequence itself (`isBeside`) wrote meanwhile.
 */
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

/** Notices if a list of the whole family shows other records of others than the last one: one that comes back was never gone. */
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

/** The fault of a list on one page that lacks a record of others, there before and after the visibility window. `again`: asks the same. */
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

/** True if others add or remove records, as seen before or in the window. One that comes and goes nobody wrote: ids are not reused. */
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

/** True if others write to a list on several pages while a filter hides them: they may move what it shows. */
export const isMoved = async (session: Session, looks: readonly Observation[]) =>
  looks.some((seen) => isOfList(seen) && seen.question.filters.length > 0 && seen.shown.pages.length > 1) &&
  doOthersWrite(session);
