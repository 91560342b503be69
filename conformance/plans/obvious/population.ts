import type { EndpointPool, Exchange } from '../../../lib/client/types.ts';
import { ANC_OPERATIONS } from '../../../lib/contract/anc.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { memberOf } from '../../../lib/contract/vendor.ts';
import type { JsonObject } from '../../../lib/wire/answer.ts';
import { pageOf, walkList } from '../../../lib/wire/list-walk.ts';
import { learnTheirs, membersShown } from '../../driver/learn-others.ts';
import { openSession } from '../../driver/open-session.ts';
import { isOnlyRead, live, noCounts, note, type Session } from '../../driver/session.ts';
import { isTaken, noteApplies, sendAnc } from '../../kit/anc.ts';
import type { CheckContext, SharedScope } from '../../kit/check.ts';
import { Blocked, type CheckFailure, mustBeBlocked, NotTestable, tooLittle } from '../../kit/fault.ts';
import { homesOf } from '../../kit/fields.ts';
import { identityField, seedRecords } from '../../kit/list/seeded-records.ts';
import { heldIn, type Value } from '../../kit/list/value.ts';
import { requesterOf } from '../../kit/record/finder.ts';
import { keyOf } from '../../model/history.ts';
import { isGenerated } from '../../model/member.ts';
import { isShownAs } from '../../model/value.ts';

/** Records that the list checks of a family know, and look for. */
export interface Population {
  readonly session: Session;
  readonly count: number;
  /** `own`: made by this run; `existing`: found on the target. */
  readonly source: 'own' | 'existing';
  /** The failure of a record that was made for the lists and cannot be read: none of them shows it. */
  readonly unread?: CheckFailure | undefined;
}

export const labelOf = (at: number): string => `r${at}`;

/** What a read shows of a record is what a list has to show; without a read, what was sent. */
async function take(
  session: Session,
  id: string,
  sent: JsonObject | undefined,
  isOurs: (record: JsonObject) => boolean = () => true,
): Promise<void> {
  const { context, kept } = session;
  const { family } = context;
  const shown = await membersShown(session, id, sent);
  if (shown === undefined || !isOurs(shown)) return;
  kept.set(labelOf(kept.size), keyOf(family.name, id));
  // What a view shows was written elsewhere.
  const kind = isOnlyRead(family) ? 'learn' : 'create';
  // A value that a read shows wrong is for the checks of reads to tell: what lists have to show of it is not known.
  const isRight = (member: string, value: unknown, as: unknown) =>
    as === undefined || isShownAs(value, as, 'json') || isGenerated(family, member, as);
  const right = Object.entries(shown).filter(([member, value]) => isRight(member, value, sent?.[member]));
  note(session, { kind, family: family.name, id, sent: Object.fromEntries(right), form: 'json', end: 'done' });
}

/** What the names of the records that lists are asked for begin with; nothing if they are endpoints. */
const prefixOf = ({ family, table, run }: CheckContext): string =>
  homesOf(family.name, table).length > 0
    ? `${run.prefix}${run.isAgain ? 'm' : 'l'}${Object.keys(table).indexOf(family.name)}`
    : '';

/** Makes the records that lists are asked for; none if the target refuses them. Gives the failure of one that cannot be read. */
async function fill(session: Session, context: CheckContext, scope: SharedScope): Promise<CheckFailure | undefined> {
  const { family, table, run } = context;
  const field = identityField(family);
  if (homesOf(family.name, table).some((home) => run.mayCreate(home))) {
    const { made, unread } = await seedRecords(scope, { name: family.name, table, prefix: prefixOf(context) });
    for (const { id, sent } of made) await take(session, id, sent);
    return unread;
  }
  if (run.endpoints !== undefined && hasOp(family, 'apply') && field !== undefined) {
    const { addresses, ids } = await makeAncRecords(scope, context, field);
    const member = memberOf(family.name, field);
    for (const id of ids) await take(session, id, undefined, (record) => addresses.includes(String(record[member])));
  }
  return undefined;
}

async function openPopulation(context: CheckContext, scope: SharedScope, source: Population['source']) {
  // A record that is not known may be one whose create got no answer.
  const count = { ...noCounts(), flying: 1 };
  const own = source === 'own' ? prefixOf(context) : '';
  const session = await openSession({ ...context, ...scope }, { isKnown: () => false, own, count });
  let unread: CheckFailure | undefined;
  if (source === 'own') {
    // A session on a family that is only read begins with the records of others.
    session.book.clear();
    session.history.length = 0;
    unread = await fill(session, context, scope).catch(mustBeBlocked);
  } else {
    await learnTheirs(session);
    for (const key of session.book.keys()) session.kept.set(labelOf(session.kept.size), key);
  }
  return { session, source, unread, count: session.others.count + (source === 'own' ? session.book.size : 0) };
}

const populationOf = (context: CheckContext, source: Population['source']): Promise<Population> =>
  context.run.shared(`list ${source}`, (scope) => openPopulation(context, scope, source));

/** Different values that the records hold in a field. */
export function valuesOf({ session }: Population, field: string): readonly Value[] {
  const { family } = session.context;
  return [...new Set(live(session).flatMap(({ fields }) => heldIn(family, fields, field) ?? []))];
}

/** The records of this run; if there are none, or none that holds the field, those of others. */
export async function population(context: CheckContext, field?: string): Promise<Population> {
  const own = await populationOf(context, 'own');
  const isEnough = field === undefined ? own.session.book.size > 0 : valuesOf(own, field).length > 0;
  return isEnough ? own : populationOf(context, 'existing');
}

type Missing = Readonly<Record<'why' | 'needs', string>>;

export const undecided = ({ source }: Population, context: CheckContext, missing: Missing) =>
  tooLittle(context, { own: source === 'own', ...missing });

/** The records by which a field is judged. Throws if they do not hold two different values. */
export async function populationWith(context: CheckContext, field: string): Promise<Population> {
  const found = await population(context, field);
  const count = valuesOf(found, field).length;
  const needs = `two records with different values of ${field}`;
  if (count === 0) throw tooLittle(context, { why: `no record with a readable ${field} is on the target`, needs });
  if (count === 1) throw undecided(found, context, { why: `all readable records hold the same ${field}`, needs });
  return found;
}

const ENDPOINTS = 12;

/** Step through the pool, so that the addresses differ in more than their last digit. */
const STRIDE = 257;

/** Where a pool's addresses are looked for, at most: pages of the whole list. */
const SCAN_PAGES = 5;

/** Addresses of the pool that the list group uses: from its end, so that other checks have its beginning. */
function seededEndpoints(pool: EndpointPool): readonly string[] {
  const count = Math.min(ENDPOINTS, Math.floor(pool.size / 2));
  const stride = pool.size > ENDPOINTS * STRIDE ? STRIDE : 1;
  return Array.from({ length: count }, (_, index) => pool.at(pool.size - 1 - index * stride).macAddress);
}

/** Ids of list entries that may be those of the addresses: found by filter where it works, else among the first pages. */
async function candidateIds(scope: SharedScope, field: string, addresses: readonly string[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const value of addresses) {
    const answer = await scope.send('list', { list: { filters: [{ field, operator: 'EQ', value }] } });
    for (const { id } of pageOf(answer)?.items.slice(0, 2) ?? []) ids.add(id);
  }
  if (ids.size >= addresses.length) return ids;
  const whole = await walkList(requesterOf(scope), {}, { pages: SCAN_PAGES });
  for (const id of whole.ids) ids.add(id);
  return ids;
}

async function makeAncRecords(scope: SharedScope, context: CheckContext, field: string) {
  const { endpoints } = context.run;
  const policy = endpoints?.policies[0];
  const wanted = endpoints === undefined ? [] : seededEndpoints(endpoints.pool);
  if (policy === undefined || wanted.length === 0)
    throw new NotTestable('no endpoint pool and policy were given to the run', '--endpoints and --policy');
  const applied = new Map<string, Exchange>();
  let last: Exchange | undefined;
  for (const macAddress of wanted) {
    last = await sendAnc(scope, 'apply-by-mac', { macAddress, policyName: policy });
    scope.onRelease(async () => void (await sendAnc(scope, 'clear-by-mac', { macAddress })));
    if (isTaken(context, 'apply', last)) applied.set(macAddress, last);
  }
  const addresses = [...applied.keys()];
  if (addresses.length === 0)
    throw new Blocked(`${ANC_OPERATIONS['apply-by-mac'].specName} was refused with status ${last?.status}`);
  let ids: readonly string[] = [];
  const all = await context.eventually(async () => {
    ids = [...(await candidateIds(scope, field, addresses))];
    return ids.length >= addresses.length ? ids : undefined;
  });
  await noteApplies({ ...context, ...scope }, applied, all !== undefined);
  return { addresses, ids };
}
