import { inTakenForm } from '../../../lib/client/http/preflight.ts';
import type { ErsClient, Exchange } from '../../../lib/client/types.ts';
import {
  isForbidden,
  isNotServed,
  isOverloaded,
  isSuccess,
  type JsonObject,
  refusesMedia,
} from '../../../lib/wire/answer.ts';
import { answerText } from '../../kit/answer.ts';
import type { CheckContext, Fixture } from '../../kit/check.ts';
import { LostRecord } from '../../kit/fault.ts';
import { nameGiven } from '../../kit/fields.ts';
import { removeOwn } from '../../kit/record/finder.ts';
import { createdId } from '../../kit/record/fixture.ts';
import type { Kept } from '../../kit/values/learned.ts';

/** Creates a record in the form of the payload, with other headers if the usual media types are refused. `own`: it, if it was found. */
export async function tryCreate(context: CheckContext, client: ErsClient, overrides: JsonObject = {}) {
  const family = context.family.name;
  const sent = context.payload(overrides);
  let exchange = await context.send('create', { fields: sent });
  if (refusesMedia(exchange))
    exchange = await inTakenForm(client, 'create', (headers) => context.send('create', { fields: sent, headers }));
  if (!isSuccess(exchange)) return { exchange };
  const name = nameGiven(context.family, sent);
  const found = await createdId(context, family, exchange, name).catch((fault: unknown) => {
    if (fault instanceof LostRecord) return undefined;
    throw fault;
  });
  return found === undefined ? { exchange } : { exchange, own: { family, id: found.id, sent } };
}

const TRIES = 2;

/** Removes the record of a first try. Returns what shows that it cannot be removed; undefined if it is gone, or not proven to be ours. */
export async function tryRemove(context: CheckContext, client: ErsClient, own: Fixture): Promise<Kept | undefined> {
  let kept: Kept | undefined;
  const send: ErsClient['send'] = (family, op, input) =>
    op === 'delete'
      ? inTakenForm(client, op, (headers) => context.send(op, { ...input, headers }, family))
      : context.send(op, input, family);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { deleted, shown } = await removeOwn(context, own, { send, eventually: context.eventually });
    if (deleted === undefined || shown === undefined) return undefined;
    // What is gone by the answer to a second delete, the first one took.
    if (kept !== undefined && isSuccess(kept.exchange)) return kept;
    kept = { exchange: deleted, why: answerText(deleted) + (isSuccess(deleted) ? `, and ${answerText(shown)}` : '') };
  }
  return kept;
}

/** True for an answer about the login, the load or the operation: it says nothing about the form of the request. */
export const isAboutCaller = (exchange: Exchange): boolean =>
  isForbidden(exchange) || isNotServed(exchange) || isOverloaded(exchange);
