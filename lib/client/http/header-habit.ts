import { OPS } from '../../contract/operations.ts';
import type { Op } from '../../contract/types.ts';
import { isForbidden, isNotServed, isOverloaded, isSuccess } from '../../wire/answer.ts';
import type { ErsClient, Exchange, HeaderHabit } from '../types.ts';

/** Forms of the headers of media types, the most usual one first. Each of them is optional (Conventions, point 2). */
const FORMS: readonly HeaderHabit[] = [
  { contentType: null },
  { accept: '*/*' },
  { contentType: 'application/json;charset=utf-8' },
  { contentType: null, accept: null },
];

/** Statuses with which servers are known to refuse a media type. */
const REFUSES_MEDIA: ReadonlySet<number> = new Set([400, 406, 415]);

/** True for a refusal that the headers of the request may be the reason of; of a read only where the status says as much. */
function mayBeHeaders(op: Op, answer: Exchange): boolean {
  if (isSuccess(answer) || isForbidden(answer) || isNotServed(answer) || isOverloaded(answer)) return false;
  return OPS[op].mutates ? answer.status >= 400 : REFUSES_MEDIA.has(answer.status);
}

/**
 * Sends a request in the usual form. If it is refused, other forms of its headers are tried; the client keeps the first that
 * is taken, for all requests of the method. Returns the answer to that form, or else the first one.
 */
export async function inTakenForm(
  client: ErsClient,
  op: Op,
  send: (headers: HeaderHabit) => Promise<Exchange>,
): Promise<Exchange> {
  const first = await send({});
  if (!mayBeHeaders(op, first)) return first;
  for (const form of FORMS) {
    const answer = await send(form);
    if (!isSuccess(answer)) continue;
    // A target that refuses now and then takes the usual form when it is sent again.
    const again = OPS[op].mutates ? undefined : await send({});
    if (again !== undefined && isSuccess(again)) return again;
    client.prefer(OPS[op].method, form);
    return answer;
  }
  return first;
}
