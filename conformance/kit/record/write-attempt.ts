import type { Exchange } from '../../../lib/client/types.ts';
import { type Family, hasOp } from '../../../lib/contract/types.ts';
import {
  entriesOf,
  idOf,
  isNotServed,
  isOfState,
  isSuccess,
  type JsonObject,
  recordOf,
} from '../../../lib/wire/answer.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';
import { answerFailure, answerText, mustDecide, prerequisite } from '../answer.ts';
import type { CheckContext, Fixture } from '../check.ts';
import { Blocked, mustBeBlocked, NotTestable, Refused, tooLittle } from '../fault.ts';
import { isNumbered, nameGiven, nameMember } from '../fields.ts';
import { creatingRefused, type Kept } from '../values/learned.ts';
import { findByName, removeOwn, takeUp } from './finder.ts';
import { createdId } from './fixture.ts';
import { memberFailure, readUntil, shown } from './record-reads.ts';

/** A create in a form that a target may take or refuse, and what came of it. */
export interface Attempt {
  readonly exchange: Exchange;
  readonly sent: JsonObject;
  readonly name: string;
  /** The record that is there under the name; undefined where none is. */
  readonly made: Fixture | undefined;
}

/** A create of which the reference is in use is tried with another, this often. */
const TRIES = 64;
/** One of which a number is in use, this often: a filter that finds everything would say so of each. */
const NUMBERS = 5;

/** Tries a create by any request; finds what it made, so that it is removed with everything else. */
export async function attemptBy(
  context: CheckContext,
  send: (sent: JsonObject) => Promise<Exchange>,
  overrides: JsonObject = {},
): Promise<Attempt> {
  const family = context.family.name;
  for (let tries = 1; ; tries += 1) {
    const sent = context.payload(overrides);
    const name = nameGiven(context.family, sent);
    const exchange = await send(sent);
    const isCollided = async () =>
      context.run.values.collided(sent) || (tries < NUMBERS && (await hasTakenNumber(context, sent, overrides)));
    // Where no two records may point at one other, or have one number, the next payload has another.
    if (tries < TRIES && isOfState(exchange) && (await isCollided())) {
      await takeUp(context, family, name);
      continue;
    }
    const found = isSuccess(exchange) ? await createdId(context, family, exchange, name) : undefined;
    if (found !== undefined) context.ledger.adopt({ family, id: found.id, name });
    return { exchange, sent, name, made: found && { family, id: found.id, sent } };
  }
}

/** Tries a create by the ordinary request with another form, header or root. */
export const attempt = (context: CheckContext, input: RequestInput, overrides: JsonObject = {}): Promise<Attempt> =>
  attemptBy(context, (fields) => context.send('create', { ...input, fields }), overrides);

/** Ids of what an attempt made, or of the records under its name where it was refused; they are taken into the clean-up. */
export const leftBy = async (context: CheckContext, { made, name }: Attempt): Promise<readonly string[]> =>
  made === undefined ? takeUp(context, context.family.name, name) : [made.id];

/** True where a read or the list shows the record: an answer may name one that was never stored. */
async function isStored(context: CheckContext, id: string, name: string): Promise<boolean> {
  const { family } = context;
  if (!hasOp(family, 'read')) return (await findByName(context, family.name, name)).includes(id);
  const { fits } = await readUntil(context, { family: family.name, id }, (held) => idOf(held) === id);
  return fits || (await findByName(context, family.name, name)).includes(id);
}

/** Removes what an attempt made; what stays is left to the clean-up. False where nothing was made, or the record that an answer named is nowhere. */
export async function discard(context: CheckContext, { made, name }: Attempt): Promise<boolean> {
  if (made === undefined) return false;
  if (!hasOp(context.family, 'delete')) return isStored(context, made.id, name);
  if ((await removeOwn(context, made)).deleted !== undefined) return true;
  if (!(await isStored(context, made.id, name))) return false;
  await removeOwn(context, made);
  return true;
}

/** As `attempt`, and removes what it made or left; says whether its record was there before. */
export async function attemptOnly(context: CheckContext, input: RequestInput, overrides: JsonObject = {}) {
  const tried = await attempt(context, input, overrides);
  await leftBy(context, tried);
  return { exchange: tried.exchange, wasThere: await discard(context, tried) };
}

/** A record of the family, made in whichever form the target takes: for checks that look at what comes after the create. */
export const anyRecord = (context: CheckContext): Promise<Fixture> =>
  context.fixture().catch(async (fault: unknown) => {
    const made = fault instanceof Blocked ? (await attempt(context, { root: null })).made : undefined;
    if (made === undefined) throw fault;
    return made;
  });

/** A record that holds every member that the target takes, for all checks that only read it. */
const fullRecord = (context: CheckContext): Promise<Fixture> =>
  context.run
    .shared('full-record', (scope) => scope.fixture(context.run.values.samples(0)))
    .catch((fault: unknown) => {
      if (!(fault instanceof Refused)) throw fault;
      return context.fixture();
    });

/** Id of a record of the family: one of the run if that can be had, else the first of the list. */
export async function anyId(context: CheckContext): Promise<string> {
  const own = context.run.mayCreate() ? await fullRecord(context).catch(mustBeBlocked) : undefined;
  if (own !== undefined) return own.id;
  const id = idOf(entriesOf(prerequisite(await context.send('list')))?.[0]);
  if (id === undefined) throw tooLittle(context, { why: 'the list holds no record', needs: 'a record' });
  return id;
}

/** Whether a filter shows a record with the number; undefined if none can tell. */
export async function isNumberListed(
  { send }: Pick<CheckContext, 'send'>,
  family: Family,
  member: string,
  value: unknown,
): Promise<boolean | undefined> {
  if (!family.filters.includes(member)) return undefined;
  const filters = [{ field: member, operator: 'EQ' as const, value: String(value) }];
  const entries = entriesOf(await send('list', { list: { filters } }, family.name));
  return entries === undefined ? undefined : entries.length > 0;
}

/** True if a number of a body that nobody asked for is that of another record. */
async function hasTakenNumber(context: Pick<CheckContext, 'send' | 'family'>, sent: JsonObject, asked: JsonObject) {
  const { family } = context;
  const drawn = Object.entries(sent).filter(([member]) => isNumbered(family, member) && !(member in asked));
  for (const [member, value] of drawn) if (await isNumberListed(context, family, member, value)) return true;
  return false;
}

/**
 * Requires that a form of a create was taken when the run made its first writes. That none was breaks the requirement only if a
 * copy of a record of the target's own was refused under a plain new name: then nothing that the caller made up can be the
 * reason. Throws `CheckFailure` then, and else `NotTestable`, because what a create needs is not known here.
 */
export function mustTakeCreates(context: CheckContext): void {
  const trial = context.run.trial();
  if (trial?.other !== undefined) {
    const { own, read } = trial.other;
    context.evidence.add(read);
    const member = nameMember(context.family) ?? 'name';
    throw memberFailure('create', member, recordOf(read)?.[member], `${member} ${shown(own.sent[member])}`);
  }
  const last = creatingRefused(trial);
  if (trial === undefined || last === undefined) return;
  mustDecide(last);
  context.evidence.add(last);
  if (isNotServed(last)) throw answerFailure('a create to be taken', last, 'request');
  if (trial.copyRefused !== undefined)
    throw answerFailure('a copy of a record of the target, under a new name, to be taken', last, 'request');
  const tried = trial.refused.map(({ source }) => source).join(', ');
  throw new NotTestable(
    `no form of a create is taken (tried: ${tried}), and no record is there to copy: ${answerText(last)}`,
    'a record to start from, given with --template FILE',
  );
}

/** Requires that what the first writes made could be removed again. Throws as `mustDecide` does for an answer about the login or the load. */
function mustUndo(context: CheckContext, kept: Kept | undefined, expected: string): void {
  if (kept === undefined) return;
  mustDecide(kept.exchange);
  context.evidence.add(kept.exchange);
  const effect = isSuccess(kept.exchange) ? 'the record is still there' : undefined;
  throw answerFailure(expected, kept.exchange, 'request', effect, kept.onlyIf);
}

/** Requires that the record of the first writes could be removed again. Throws as `mustUndo` does. */
export const mustTakeDeletes = (context: CheckContext): void =>
  mustUndo(context, context.run.trial()?.kept, 'a record of this run removed');

/** Requires that the clear of the first endpoint was taken, and took effect if that is judged. Throws as `mustUndo` does. */
export function mustTakeClears(context: CheckContext, mustHaveEffect: boolean): void {
  const { kept } = context.run.anc();
  if (kept !== undefined && (mustHaveEffect || !isSuccess(kept.exchange)))
    mustUndo(context, kept, 'an endpoint of this run cleared');
}
