import type { ErsClient, Exchange } from '../../../lib/client/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type Field, hasOp } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { defined } from '../../../lib/defined.ts';
import { entriesOf, idOf, isObject, isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import type { CheckContext, Fixture } from '../../kit/check.ts';
import { isServerFilled, nameMember, rangedMembers, rangeOf, referenceOf, sentFields } from '../../kit/fields.ts';
import { type CreateForm, type FamilyTrial, type Kept, type Learned, memberKey } from '../../kit/values/learned.ts';
import { learnDomain } from './text-domain.ts';
import { tryUpdate } from './try-update.ts';
import { isAboutCaller, tryCreate, tryRemove } from './try-write.ts';

/** Looks at a new record at one time, which have to agree once one before them has shown it: those in turn may all go over one connection, to one node. */
const LOOKS = 8;
const EVERY_MS = 20;
/** Milliseconds without a wrong look after which no other is expected. */
const QUIET_MS = 600;
/** What is waited between a write and a look, as a share of the longest time that was seen. */
const MARGIN = 1.5;

/**
 * Milliseconds after a write during which some looks show it and others do not, as behind a balancer whose nodes learn of it one after the
 * other; 0 if looks do not go back and forth, or never cease to: then no wait mends them.
 */
export async function unsteadyMs(
  { context, clock, visibilityMs }: Pick<TrialDeps, 'context' | 'clock' | 'visibilityMs'>,
  { family, id }: Pick<Fixture, 'family' | 'id'>,
): Promise<number> {
  if (!hasOp(context.family, 'read')) return 0;
  const begun = clock.monotonicMs();
  const sinceMs = () => clock.monotonicMs() - begun;
  const ask = async () => isSuccess(await context.send('read', { id }, family));
  const looks = async () => new Set(await Promise.all(Array.from({ length: LOOKS }, ask)));
  const first = await context.eventually(async () => [await looks()].find((shown) => shown.has(true)));
  if (first === undefined) return 0;
  let wrongMs = (await looks()).has(false) ? sinceMs() : 0;
  // A cache may hide from the next looks that nodes disagree.
  if (!first.has(false) && wrongMs === 0) return 0;
  for (const quietFromMs = sinceMs(); sinceMs() < Math.max(wrongMs, quietFromMs) + QUIET_MS; ) {
    if (sinceMs() > visibilityMs) return 0;
    await clock.sleep(EVERY_MS);
    if ((await looks()).has(false)) wrongMs = sinceMs();
  }
  return Math.ceil(wrongMs * MARGIN);
}

async function learnUnsteady(deps: TrialDeps, own: Fixture): Promise<void> {
  deps.learned.unsteadyMs ||= await unsteadyMs(deps, own);
  deps.client.waitToLook(deps.learned.unsteadyMs);
}

/** Records of the target that are copied at most, of different settings each, and read at most to find them. */
const MOST_COPIED = 6;
const MOST_READ = 12;

/** The members of a record that a create of another one may carry: not those that the payload makes, and those that the server fills in. */
function copied({ family, table }: CheckContext, record: JsonObject): JsonObject {
  const { unique = [] } = vendorFacts(family.name);
  const isCopied = ([member, field]: readonly [string, Field]) =>
    ![nameMember(family), 'description', ...unique].includes(member) &&
    rangeOf(field) === undefined &&
    referenceOf(table, family, member) === undefined &&
    !isServerFilled(family, member) &&
    (record[member] ?? null) !== null;
  const members = sentFields(family, 'create').filter(isCopied);
  return Object.fromEntries(members.map(([member]) => [member, record[member]]));
}

/** Records that the target holds, those of other settings first. */
async function* recordsThere(context: CheckContext): AsyncGenerator<readonly [string, JsonObject]> {
  const seen = new Set<string>();
  const entries = entriesOf(await context.send('list')) ?? [];
  // The oldest and the newest first: those in the middle are hardly of another kind.
  const order = entries.flatMap((_, at) => [at, entries.length - 1 - at]);
  for (const at of [...new Set(order)].slice(0, MOST_READ)) {
    const id = idOf(entries[at]);
    if (id === undefined || seen.size === MOST_COPIED) continue;
    const read = await context.send('read', { id });
    const record = isSuccess(read) ? recordOf(read) : undefined;
    const kind = JSON.stringify(record === undefined ? null : copied(context, record));
    if (record === undefined || seen.has(kind)) continue;
    seen.add(kind);
    yield [id, record];
  }
}

/** Forms of a create in the order in which they are tried; copies are of records that the target holds. */
async function* createForms(
  context: CheckContext,
  template: JsonObject | undefined,
): AsyncGenerator<CreateForm & { readonly isCopy?: true }> {
  if (template !== undefined) yield { source: 'the template of the operator', members: copied(context, template) };
  const whole = copied(context, context.run.values.samples(0));
  if (context.family.imported !== undefined) yield { source: 'the published example', members: whole };
  yield { source: 'the usual members', members: {} };
  const copies: CreateForm[] = [];
  if (context.family.ops.includes('list') && context.family.ops.includes('read'))
    for await (const [id, record] of recordsThere(context)) {
      const copy = { source: `a copy of ${id}`, members: copied(context, record) };
      copies.push(copy);
      yield { ...copy, isCopy: true };
    }
  // Not all that an object shows need be taken back: some of it may be what the server alone sets.
  for (const { source, members } of copies)
    for (const [member, value] of Object.entries(members)) {
      const { [member]: _, ...others } = members;
      if (isObject(value)) yield { source: `${source} without ${member}`, members: others };
    }
  yield { source: 'all members', members: whole };
  yield { source: 'the name alone', members: {}, isBare: true };
}

interface TrialDeps {
  readonly context: CheckContext;
  readonly client: ErsClient;
  readonly learned: Learned;
  readonly clock: Clock;
  /** How long a write may take to show. */
  readonly visibilityMs: number;
  readonly template?: JsonObject | undefined;
  /** What about an updated record a delete left it for: clauses behind `only if`; undefined if nobody knows. */
  readonly tell: (deleted: Exchange, own: Fixture) => Promise<string | undefined>;
}

/** Tries one form after the other; `own` is the record of the one that was taken. */
async function firstTaken({ context, client, learned, template }: TrialDeps): Promise<FamilyTrial & { own?: Fixture }> {
  const { name } = context.family;
  const refused: { source: string; exchange: Exchange }[] = [];
  let copyRefused: Exchange | undefined;
  for await (const { isCopy, ...form } of createForms(context, template)) {
    learned.families.set(name, { form, refused });
    let tried = await tryCreate(context, client);
    // A number that was drawn may be in use, and a fault of the server may pass.
    const mayPass = tried.exchange.status >= 500 || rangedMembers(context.family).length > 0;
    if (!isSuccess(tried.exchange) && !isAboutCaller(tried.exchange) && mayPass)
      tried = await tryCreate(context, client);
    const { durationMs: createMs } = tried.exchange;
    if (isSuccess(tried.exchange)) return { form, refused, createMs, ...defined({ own: tried.own }) };
    refused.push({ source: form.source, exchange: tried.exchange });
    if (isCopy) copyRefused ??= tried.exchange;
    if (isAboutCaller(tried.exchange)) break;
  }
  return { refused, ...defined({ copyRefused }) };
}

/** Makes a record and removes it: the record as it was read, empty if no read showed it; undefined if it was refused. */
async function createAndRemove({ context, client }: TrialDeps, fields: JsonObject): Promise<JsonObject | undefined> {
  const { exchange, own } = await tryCreate(context, client, fields);
  if (own === undefined) return isSuccess(exchange) ? {} : undefined;
  const read = hasOp(context.family, 'read') ? recordOf(await context.send('read', { id: own.id })) : undefined;
  await tryRemove(context, client, own);
  return read ?? {};
}

/** Names that a family takes of which no update changes one: each is asked by a create, and removed at once. */
async function learnNames(deps: TrialDeps): Promise<void> {
  const { context, learned } = deps;
  const { family } = context;
  const member = nameMember(family);
  if (member === undefined) return;
  const before = String(context.payload()[member] ?? '').length;
  const take = async (text: string) =>
    (await createAndRemove(deps, { [member]: `${context.payload()[member]}${text}` })) !== undefined;
  const domain = await learnDomain(take, before);
  if (domain !== undefined) learned.domains.set(memberKey(family.name, member), domain);
}

async function learnReferences(deps: TrialDeps): Promise<void> {
  const { context, client, learned } = deps;
  const { family, table } = context;
  for (const [member] of sentFields(family, 'create')) {
    if (referenceOf(table, family, member) === undefined) continue;
    const { own } = await tryCreate(context, client);
    if (own === undefined) return;
    const same = { [member]: own.sent[member] };
    const beside = await createAndRemove(deps, same);
    await tryRemove(context, client, own);
    // Refused beside the first record and taken after it was removed: then the first record was the reason.
    const isUnique = beside === undefined && (await createAndRemove(deps, same)) !== undefined;
    if (isUnique) learned.uniqueReferences.add(memberKey(family.name, member));
  }
}

/** What shows that an updated record cannot be removed again, and for what about it. */
async function keptAfterUpdate({ context, client, tell }: TrialDeps, other: Fixture): Promise<Kept | undefined> {
  const kept = await tryRemove(context, client, other);
  return kept && { ...kept, onlyIf: await tell(kept.exchange, other).catch(() => undefined) };
}

/**
 * The first writes to a family, before any other: a create, a read, a delete, and the proof that the record is gone; then the same with an
 * update. What cannot be removed again ends the creates of the family at that one record, or its updates if only an updated one cannot.
 */
export async function tryFamily(deps: TrialDeps): Promise<void> {
  const { context, client, learned } = deps;
  const { family } = context;
  const [updates, deletes] = [hasOp(family, 'update'), hasOp(family, 'delete')];
  const { own, ...taken } = await firstTaken(deps);
  learned.families.set(family.name, taken);
  if (own === undefined) return;
  await learnUnsteady(deps, own);
  const kept = deletes ? await tryRemove(context, client, own) : undefined;
  if (kept !== undefined) {
    learned.families.set(family.name, { ...taken, kept });
    client.refuse(family.name, `a first record could not be removed again: ${kept.why}`);
    return;
  }
  const isOther = ({ id }: Fixture) => client.standing(family.name, id) === 'foreign';
  // One that bears another name may have been renamed by somebody: a target that names records does so again.
  const { own: second } = isOther(own) ? await tryCreate(context, client) : {};
  if (second !== undefined && deletes) await tryRemove(context, client, second);
  if (second !== undefined && isOther(second)) {
    const read = await context.send('read', { id: second.id });
    learned.families.set(family.name, { ...taken, other: { own: second, read } });
    client.refuse(family.name, 'first records do not bear the names that were sent, so nobody can tell whose they are');
    return;
  }
  const other = updates && deletes ? (await tryCreate(context, client)).own : own;
  if (updates && other !== undefined) {
    // The pace that a target asks for may have hidden it from the first looks.
    if (other !== own) await learnUnsteady(deps, other);
    const create = async (fields: JsonObject) => (deletes ? createAndRemove(deps, fields) : undefined);
    const updateRefused = await tryUpdate(context, learned, other, create);
    const left = deletes ? await keptAfterUpdate(deps, other) : undefined;
    learned.families.set(family.name, { ...taken, ...defined({ updateRefused, kept: left }) });
    if (left !== undefined)
      client.refuse(family.name, `a record that was updated could not be removed again: ${left.why}`, 'update');
  }
  if (!updates && deletes) await learnNames(deps);
  await learnReferences(deps);
}
