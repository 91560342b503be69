import type { Exchange } from '../../../lib/client/types.ts';
import { type Family, fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import {
  createdIdOf,
  idOf,
  isForbidden,
  isNotServed,
  isSuccess,
  type JsonObject,
  recordOf,
} from '../../../lib/wire/answer.ts';
import { answerText, mustDecide } from '../answer.ts';
import type { CheckContext } from '../check.ts';
import { Blocked, LostRecord, Refused, UnreadableRecord } from '../fault.ts';
import { nameGiven, nameMember, rangeOf, referenceOf } from '../fields.ts';
import type { Values } from '../values/values.ts';
import { findByName, listEntries } from './finder.ts';

/** A create that is refused is tried with another number, or another record to point at, this often. */
const TRIES = 3;

type Maker = Pick<CheckContext, 'send' | 'follow' | 'payload' | 'table' | 'ledger' | 'eventually'>;

/** More creates than that can be refused because another record points at the same one. */
const MOST_COLLISIONS = 64;

/** Id that the answer to a create with these fields gives for its record; undefined if it gives none, or is no success. */
export const idGiven = (created: Exchange, family: Family, fields: JsonObject): string | undefined =>
  isSuccess(created) ? createdIdOf(created, family, fields[nameMember(family) ?? '']) : undefined;

/** Id of a record that a create answered 2xx for: by Location, then the body, then the list (gap G-07); undefined if it is nowhere. */
export async function createdId(context: Maker, family: string, created: Exchange, name: string) {
  const given = createdIdOf(created, context.table[family], name);
  if (given !== undefined) {
    const stray = strayOf(context.ledger, family, given);
    if (stray === undefined) return { id: given, by: 'answer' };
    if (stray.kind === 'forgotten')
      throw new Blocked(`whether ${given} is the record of a create is not known: ${stray.why}`);
    throw new LostRecord(`${answerText(created)}, and ${given} is not its record: ${stray.why}`, created);
  }
  /** A name may be there twice: the record just made is the one this run did not know. */
  const found = async (isAgain: boolean) => {
    const ids = (await findByName(context, family, name)).filter((id) => {
      const standing = context.ledger.standing(family, id);
      return standing !== 'ours' && (standing === 'gone') === isAgain;
    });
    return ids.filter((id) => context.ledger.adopt({ family, id, name }))[0];
  };
  // A late list shows what was removed under the name: only if nothing else comes up, its id was given again.
  const id = (await context.eventually(() => found(false))) ?? (await found(true));
  return id === undefined ? undefined : { id, by: 'list' };
}

/** The record that an answer gave for one of this run and that is not; undefined if nothing speaks against the id. */
function strayOf(ledger: Maker['ledger'], family: string, id: string) {
  if (ledger.standing(family, id) !== 'foreign') return undefined;
  return ledger.leftAlone().find((stray) => stray.family === family && stray.id === id);
}

/** True if another try can differ: the payload made a number or a pointer of its own. */
function mayRetry(context: Maker, family: string, overrides: JsonObject): boolean {
  const shape = context.table[family];
  if (shape === undefined) return false;
  return Object.entries(fieldsOf(shape)).some(
    ([member, field]) =>
      !(member in overrides) &&
      (rangeOf(field) !== undefined || referenceOf(context.table, shape, member) !== undefined),
  );
}

/** What a record that was read shows against its create. Another name than the one sent is for the ledger to tell. */
function unlikeness(family: Family, read: Exchange, name: string): string | undefined {
  const member = nameMember(family);
  if (member === undefined || name === '' || recordOf(read)?.[member] !== undefined) return undefined;
  return `its record bears no ${member}, where ${name} was sent`;
}

/** Creates a record and waits until it can be read; `unlike`: what that shows against its create. Throws `Blocked` if there is none. */
export async function makeFixture(context: Maker & Pick<Values, 'collided'>, family: string, overrides: JsonObject) {
  const shape = context.table[family];
  if (shape === undefined || !hasOp(shape, 'create')) throw new Blocked(`${family} has no create`);
  let sent = context.payload(overrides, family);
  let created = await context.send('create', { fields: sent }, family);
  const again = () => !isSuccess(created) && !isNotServed(created);
  let left = TRIES;
  for (let tries = 1; tries < left && again() && mayRetry(context, family, overrides); tries += 1) {
    if (isForbidden(created)) break;
    if (context.collided(sent, family)) left = MOST_COLLISIONS;
    sent = context.payload(overrides, family);
    created = await context.send('create', { fields: sent }, family);
  }
  if (!isSuccess(created)) {
    mustDecide(created);
    throw new Refused(`the target refuses a create: ${answerText(created)}`, created);
  }
  const name = nameGiven(shape, sent);
  const found = await createdId(context, family, created, name);
  if (found === undefined)
    throw new LostRecord(`${answerText(created)}, and no record "${name}" is to be found`, created);
  const { id } = found;
  if (!hasOp(shape, 'read')) return { fixture: { family, id, sent }, created };
  let looks = 0;
  let last = created;
  const isThere = await context.eventually(async () => {
    looks += 1;
    last = await context.send('read', { id }, family);
    return isSuccess(last) && idOf(recordOf(last)) === id ? true : undefined;
  });
  if (isThere) return { fixture: { family, id, sent, looks }, created, unlike: unlikeness(shape, last, name) };
  mustDecide(last);
  // A record that the list holds was created: then the read is to blame.
  if ((await listEntries(context, family, name)).some((entry) => idOf(entry) === id))
    throw new UnreadableRecord(`the record ${id} is listed and cannot be read: ${answerText(last)}`, last);
  throw new LostRecord(`${answerText(created)}, and the record ${id} cannot be read: ${answerText(last)}`, created);
}
