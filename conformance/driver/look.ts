import { type Family, hasOp } from '../../lib/contract/types.ts';
import { memberOf } from '../../lib/contract/vendor.ts';
import { defined } from '../../lib/defined.ts';
import { isForbidden, isSuccess } from '../../lib/wire/answer.ts';
import type { Filter } from '../../lib/wire/query.ts';
import { type Known, keyOf } from '../model/history.ts';
import type { ListQuestion, Observation } from '../model/observation.ts';
import { sendPlain } from '../steps/attempt.ts';
import { create } from '../steps/create.ts';
import {
  ANOTHER_FIELD,
  type Criterion,
  type ListLook,
  type Look,
  labelsIn,
  PLAIN,
  type Query,
  type Step,
  type StepOf,
  type Steps,
} from '../steps/step.ts';
import { askList, askRead, orSpelling } from './ask.ts';
import { goneAddress, lookAtEndpoints, withCleared } from './endpoints.ts';
import { groundsOf } from './grounds.ts';
import { besides, filterOf } from './operands.ts';
import { missedOther } from './others.ts';
import { plainestLook } from './plainest-look.ts';
import { listKey, refusedList } from './refused-list.ts';
import {
  BYSTANDER,
  factsOf,
  findRecord,
  knowsOthersOnly,
  live,
  NotDone,
  nameOf,
  note,
  offers,
  raise,
  recordOf,
  type Session,
  viewIn,
} from './session.ts';
import { type Shown, settled } from './settle.ts';

/** Pages that a look may come to: a smaller size than that allows is asked for among the records of the session alone. */
const MOST_PAGES = 3;

/** How many times the records of one family a view may show, for the size of its pages. */
const VIEWED = 3;

/** Filter that selects the records of the session; undefined if it has none, the family has no filter for names, or the names have nothing in common. */
function ownFilter(session: Session, family: Family): Filter | undefined {
  if (session.own === '' || knowsOthersOnly(session)) return undefined;
  const field = family.filters.find((each) => memberOf(family.name, each) === nameOf(session));
  return field === undefined ? undefined : { field, operator: 'STARTSW', value: session.own };
}

/** The question of a list look: operands from the records there are, narrow enough to be read in a few pages. */
function listQuestion(session: Session, { on, about, query }: ListLook): ListQuestion {
  const { context } = session;
  const view = on === 'view' ? viewIn(session) : undefined;
  if (on === 'view' && view === undefined) throw new NotDone('no view');
  const family = context.table[view ?? context.family.name] as Family;
  const records = from(session, about);
  const asked = criteriaOf(session, family, query, records);
  // A view shows the records of several families.
  const { count } = session.others;
  const others = view === undefined ? count : VIEWED * (count + records.length);
  const own = ownFilter(session, family);
  const most = query.pages ?? MOST_PAGES;
  const isSmall = (others + records.length) / (query.size ?? 20) <= most;
  // By OR, what narrows a list would widen it.
  const isNarrow = own !== undefined && query.join !== 'or' && !isSmall;
  const filters = isNarrow ? [...asked, own] : asked;
  const least = Math.ceil((isNarrow ? records.length : others + records.length) / most);
  return {
    window: 'list',
    family: family.name,
    filters,
    join: filters.length > 0 ? query.join : undefined,
    paging: typeof context.run.dialect('page.first') === 'number' ? query.paging : 'link',
    sort: query.sort === undefined || !family.sorts.includes(query.sort.field) ? undefined : query.sort,
    size: query.size === undefined ? undefined : Math.max(query.size, Math.min(100, least)),
  };
}

function from(session: Session, label: string): readonly Known[] {
  const first = findRecord(session, label);
  // In a view it is a record of another family. Without any record that is there, one that is gone tells what to ask for.
  const there = new Set([...(first?.isLive === true ? [first] : []), ...live(session)]);
  return there.size > 0 || first === undefined ? [...there] : [first];
}

/** The filters of a query. Those on fields that the family lacks, or that stand there twice, are chosen by the records there are. */
function criteriaOf(session: Session, family: Family, { criteria, join }: Query, records: readonly Known[]) {
  const first = criteria.find(({ field }) => family.filters.includes(field));
  // An endpoint has one address for good: one that is gone is that of an endpoint which was cleared.
  const gone = first?.part === 'former' ? goneAddress(session) : undefined;
  const one = first === undefined ? undefined : filterOf(family, { ...first, ...defined({ text: gone }) }, records);
  if (first === undefined || one === undefined) {
    if (criteria.length > 0) throw new NotDone('no record holds such a value');
    return [];
  }
  const isSame = (each: Criterion) => JSON.stringify(each) === JSON.stringify(first);
  const drawn = criteria.filter((each) => family.filters.includes(each.field) && !isSame(each) && each.isOpen !== true);
  const open = criteria.find(({ field, isOpen }) => isOpen && family.filters.includes(field));
  const holders = ({ of }: Criterion) => (of === undefined ? records : from(session, of));
  const told = drawn.flatMap((each) => filterOf(family, each, holders(each)) ?? []);
  return besides(family, records, [one, ...told], {
    count: criteria.length,
    join: join === 'or' ? 'or' : 'and',
    field: criteria.filter(isSame).length > 1 ? first.field : open?.field,
    but: criteria.some(({ field }) => field === ANOTHER_FIELD) ? first.field : undefined,
    comparing: factsOf(session),
  });
}

async function raiseShown(session: Session, found: Shown, look: () => Promise<Observation>): Promise<void> {
  // Which request took a policy from an endpoint shows in all of them, and not in the record that is gone.
  if (hasOp(session.context.family, 'apply')) await lookAtEndpoints(session);
  const { difference, seen } = await plainestLook(session, found, look);
  raise(session, difference, seen, () => groundsOf(session, seen, difference));
}

const MADE_BETWEEN: StepOf<'create'> = {
  ...{ step: 'create', as: 'made between', name: { fresh: '' }, set: {}, form: 'json', carried: PLAIN },
};

/** Writes a record that is there as it is: a list that is being read shows the same after it. */
async function writeAgain(session: Session): Promise<void> {
  const known = findRecord(session, BYSTANDER);
  if (known === undefined || !offers(session, 'update', known.family)) return;
  const { id, family, fields } = known;
  if (isSuccess(await sendPlain(session, 'update', { id, fields: { ...fields, id } }, family)))
    note(session, { kind: 'update', family, id, sent: fields, form: 'json', end: 'done' });
}

async function lookAtList(session: Session, look: ListLook): Promise<void> {
  const { query, carried } = look;
  if (query.join === 'or' && (query.spelling ?? orSpelling(session)) === undefined)
    throw new NotDone('nobody found out how OR is spelled');
  const question = look.again ? session.asked.last : listQuestion(session, look);
  if (question === undefined) throw new NotDone('nothing was asked before');
  session.asked.last = question;
  if (look.between === 'update') await lookBeforeWrite(session, BYSTANDER);
  let isMade = false;
  const ask = async () => {
    const isAlone = session.count.writing === 0;
    let isWritten = false;
    const between = async () => {
      // Each look again would make one more.
      if (look.between === undefined || (look.between === 'create' && isMade)) return;
      const at = session.sent.length;
      await (look.between === 'create' ? create(session, MADE_BETWEEN) : writeAgain(session));
      isMade = look.between === 'create';
      isWritten = session.sent.slice(at).some(({ request }) => request.method !== 'GET');
    };
    const seen = await withCleared(session, await askList(session, question, { ...query, carried, between }));
    const [before, after] = seen.meanwhile;
    const isOwn = isAlone && isWritten && before === after;
    // A record that is changed may go where no page was read, and another may take its place.
    const mayLack = !isOwn ? undefined : look.between === 'create' ? 0 : 1;
    return { ...seen, ...defined({ mayLack }) };
  };
  let last: Awaited<ReturnType<typeof ask>> | undefined;
  const found = await settled(session, async () => (last = await ask()));
  if (found !== undefined) await raiseShown(session, found, ask);
  const missed = last && (await missedOther(session, last, ask));
  if (missed !== undefined) raise(session, missed, last);
  const refused = last?.shown.pages.length === 0 ? last.refused : undefined;
  if (refused !== undefined) {
    await refusedList(session, question, refused);
    throw new NotDone('the list is refused');
  }
  session.lessons.taken.add(`list ${listKey(question)}`);
}

/** Looks in one way, and ends the sequence if what is shown is not what the oracle allows. */
export async function lookAt(session: Session, look: Look): Promise<void> {
  if (look.window === 'list') return lookAtList(session, look);
  if (look.window === 'endpoints') return lookAtEndpoints(session);
  const { window, who, form, carried } = look;
  const known = recordOf(session, who);
  const home = session.context.table[known.family] as Family;
  const family = window === 'view' ? viewIn(session) : known.family;
  if (family === undefined || !hasOp(home, window === 'name' ? 'readByName' : 'read'))
    throw new NotDone(`no ${window}`);
  if (window === 'view' && !offers(session, 'read', family)) throw new NotDone('no view');
  const ask = async () => {
    const seen = await askRead(session, { window, family, id: known.id, form }, carried);
    // Permissions are not shown: that a family may be read says nothing of a view of it.
    if (window === 'view' && known.isLive === true && isForbidden(seen.shown))
      throw new NotDone('no permission to read');
    return seen;
  };
  const found = await settled(session, ask);
  if (found !== undefined) await raiseShown(session, found, ask);
  if (window === 'read') session.looked.add(keyOf(known.family, known.id));
}

/** Reads a record before a write hides what is wrong with it, once. Stands for the read by which the client proves it to be of the run. */
async function lookBeforeWrite(session: Session, who: string, isAgain = false): Promise<void> {
  const known = findRecord(session, who);
  if (known?.isLive !== true || !offers(session, 'read', known.family)) return;
  const isRead = !isAgain && session.looked.has(keyOf(known.family, known.id));
  if (isRead && session.context.ledger.isProven(known.family, known.id)) return;
  await lookAt(session, { window: 'read', who, form: 'json', carried: PLAIN });
}

function writtenBy(step: Step): readonly string[] {
  const isWrite = step.step !== 'wrong' || /^(update|delete) (?!gone)/.test(step.request);
  const isCreate = step.step === 'create' || (step.step === 'bulk' && step.action === 'create');
  return isWrite && !isCreate ? labelsIn(step) : [];
}

/** Steps without those that would write to a record that one before them writes to: nobody could say what it holds then. */
export function apart(session: Session, steps: Steps): Steps {
  const written = new Set<string>();
  return steps.filter((step) => {
    const keys = writtenBy(step).map((who) => {
      const known = findRecord(session, who);
      return known === undefined ? who : keyOf(known.family, known.id);
    });
    const isFirst = keys.every((key) => !written.has(key));
    for (const key of keys) written.add(key);
    return isFirst;
  });
}

/** Looks at each record that a step is about to write to; `isAgain`: at those too that were looked at before. */
export async function lookFirst(session: Session, step: Step, isAgain = false): Promise<void> {
  for (const who of writtenBy(step)) await lookBeforeWrite(session, who, isAgain);
}
