import type { Exchange } from '../../../lib/client/types.ts';
import { hasOp } from '../../../lib/contract/types.ts';
import { idOf, isSuccess } from '../../../lib/wire/answer.ts';
import type { RequestInput } from '../../../lib/wire/request.ts';
import type { CheckContext, Fixture } from '../check.ts';
import { holds } from '../contains-subset.ts';
import { Blocked } from '../fault.ts';
import { nameMember } from '../fields.ts';
import { findByName, removeOwn, takeUp } from './finder.ts';
import { createdId } from './fixture.ts';
import { hasTakenNumber } from './numbers.ts';
import { readRecord, readUntil } from './record-reads.ts';

/** A create in a form that a target may take or refuse, and what came of it. */
export interface Attempt {
  readonly exchange: Exchange;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly name: string;
  /** The record that is there under the name; undefined where none is. */
  readonly made: Fixture | undefined;
}

/** A create of which the reference is in use is tried with another, this often. */
const TRIES = 64;
/** One of which a number is in use, this often: a filter that finds everything would say so of each. */
const NUMBERS = 5;

type Send = (sent: Readonly<Record<string, unknown>>, name: string) => Promise<Exchange>;

/** Tries a create by any request; finds what it made, so that it is removed with everything else. */
export async function attemptBy(
  context: CheckContext,
  send: Send,
  overrides: Record<string, unknown> = {},
): Promise<Attempt> {
  const family = context.family.name;
  const nameOf = (fields: Readonly<Record<string, unknown>>) =>
    String(fields[nameMember(context.family) ?? 'name'] ?? '');
  let sent = context.payload(overrides);
  let exchange = await send(sent, nameOf(sent));
  // Where no two records may point at one other, or have one number, the next payload has another.
  const isCollided = async (tries: number) =>
    context.run.values.collided(sent) || (tries < NUMBERS && (await hasTakenNumber(context, sent, overrides)));
  for (let tries = 1; tries < TRIES && exchange.status === 400 && (await isCollided(tries)); tries += 1) {
    await takeUp(context, family, nameOf(sent));
    sent = context.payload(overrides);
    exchange = await send(sent, nameOf(sent));
  }
  const name = nameOf(sent);
  const found = isSuccess(exchange) ? await createdId(context, family, exchange, name) : undefined;
  if (found !== undefined) {
    context.ledger.adopt({ family, id: found.id, name });
    return { exchange, sent, name, made: { family, id: found.id, sent } };
  }
  return { exchange, sent, name, made: undefined };
}

/** Tries a create by the ordinary request with another form, header or root. */
export function attempt(
  context: CheckContext,
  input: RequestInput,
  overrides: Record<string, unknown> = {},
): Promise<Attempt> {
  return attemptBy(context, (fields) => context.send('create', { ...input, fields }), overrides);
}

/** Ids of records under the name of an attempt that was refused; they are taken into the clean-up. */
export function leftBy(context: CheckContext, tried: Attempt): Promise<readonly string[]> {
  return takeUp(context, context.family.name, tried.name);
}

/** True where a read or the list shows the record: an answer may name one that was never stored. */
async function isStored(context: CheckContext, id: string, name: string): Promise<boolean> {
  const { family } = context;
  if (!hasOp(family, 'read')) return (await findByName(context, family.name, name)).includes(id);
  const { fits } = await readUntil(context, { family: family.name, id }, (held) => idOf(held) === id);
  return fits || (await findByName(context, family.name, name)).includes(id);
}

/**
 * Removes what an attempt made; what stays is left to the clean-up. False where nothing was made: also where the record that an
 * answer named is nowhere, so that the client lets no delete of it through.
 */
export async function discard(context: CheckContext, { made, name }: Attempt): Promise<boolean> {
  if (made === undefined) return false;
  if (!hasOp(context.family, 'delete')) return isStored(context, made.id, name);
  if ((await removeOwn(context, made)).deleted !== undefined) return true;
  if (!(await isStored(context, made.id, name))) return false;
  await removeOwn(context, made);
  return true;
}

/** The sent fields that an ordinary create also stores; only these are judged. */
export async function comparable(
  context: CheckContext,
  control: Fixture,
  tried: Attempt,
): Promise<Record<string, unknown>> {
  const { record } = await readRecord(context, control);
  return Object.fromEntries(
    Object.entries(tried.sent).filter(([member]) => holds(record?.[member], control.sent[member])),
  );
}

/** A record of the family, made in whichever form the target takes: for checks that look at what comes after the create. */
export async function anyRecord(context: CheckContext): Promise<Fixture> {
  try {
    return await context.fixture();
  } catch (fault) {
    if (!(fault instanceof Blocked)) throw fault;
    const bare = await attempt(context, { root: null });
    if (bare.made === undefined) throw fault;
    return bare.made;
  }
}
