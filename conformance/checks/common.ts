import { hasOp } from '../../lib/contract/types.ts';
import type { JsonObject } from '../../lib/wire/answer.ts';
import { answerFailure } from '../kit/answer.ts';
import type { Check, CheckContext, Fixture } from '../kit/check.ts';
import { failure, NotTestable, type Subject } from '../kit/fault.ts';
import { isCreatable } from '../kit/fields.ts';
import { readRecord, readUntil, shown } from '../kit/record/record-reads.ts';
import { type Attempt, anyId, discard } from '../kit/record/write-attempt.ts';
import { FINDABLE } from '../model/difference.ts';
import type { Form } from '../model/history.ts';
import { isShownAs, withOff } from '../model/value.ts';
import { population } from '../plans/obvious/population.ts';

type Applies = Check['appliesTo'];

export const isListed: Applies = (family) => hasOp(family, 'list');
export const isFiltered: Applies = (family) => hasOp(family, 'list') && family.filters.length > 0;
export const isSorted: Applies = (family) => hasOp(family, 'list') && family.sorts.length > 0;

export const isReadable: Applies = (family) => isCreatable(family) && hasOp(family, 'read');
export const isUpdatable: Applies = (family, table) => isReadable(family, table) && hasOp(family, 'update');
export const isDeletable: Applies = (family, table) => isReadable(family, table) && hasOp(family, 'delete');

/** What most checks of a kind have in common: of what is there, of writes, of records that they make, and of lists. What the oracle judges it lays to what is broken. */
export const onReads = { level: 'stated', needs: 'read' } as const satisfies Partial<Check>;
export const onWrites = { level: 'stated', needs: 'own-data' } as const satisfies Partial<Check>;
export const onRecords = {
  ...onWrites,
  ...{ appliesTo: isCreatable, dependsOn: ['record/create'], accuses: FINDABLE },
} as const satisfies Partial<Check>;
export const onLists = {
  ...onReads,
  ...{ appliesTo: isListed, accuses: FINDABLE },
  // What every list has to be is told by these.
  dependsOn: ['list/envelope', 'list/complete'],
} as const satisfies Partial<Check>;

/** Id of a record that stays while checks read it: in the list of endpoints, the first one may be cleared a moment later. */
export async function lastingId(context: CheckContext): Promise<string> {
  const kept = hasOp(context.family, 'apply') ? (await population(context)).session.book.values() : [];
  return [...kept].find(({ isLive }) => isLive === true)?.id ?? anyId(context);
}

/** Why a made-up token is refused. */
export const checksTokens = (why = 'the target checks X-CSRF-TOKEN, and refuses a made-up one') =>
  new NotTestable(why, 'a target that does not check CSRF tokens');

/** True if a record shows each member as it was sent in that form. */
export const showsAll = (record: JsonObject | undefined, sent: JsonObject, form: Form = 'json'): boolean =>
  Object.entries(sent).every(([member, value]) => isShownAs(withOff(record?.[member], value), value, form));

/** Whether a record comes to show the changes. */
export const comesToShow = async (context: CheckContext, own: Fixture, changes: JsonObject): Promise<boolean> =>
  (await readUntil(context, own, (held) => showsAll(held, changes))).fits;

/** Requires that a create in XML stored its record, and in it what an ordinary one stores too; removes it again. */
export async function mustStoreAlike(
  context: CheckContext,
  makeControl: () => Promise<Fixture>,
  tried: Attempt,
  expected: string,
  subject: Subject,
): Promise<void> {
  if (tried.made === undefined) throw answerFailure(expected, tried.exchange, subject);
  const control = await makeControl();
  const ordinary = (await readRecord(context, control)).record;
  const isStored = ([member]: readonly [string, unknown]) =>
    isShownAs(ordinary?.[member], control.sent[member], 'json');
  const sent = Object.fromEntries(Object.entries(tried.sent).filter(isStored));
  const { fits, record } = await readUntil(context, tried.made, (held) => showsAll(held, sent, 'xml'));
  await discard(context, tried);
  if (!fits) throw failure('value', 'create', subject, { expected: shown(sent), observed: shown(record) });
}
