import { inTakenForm } from '../../../lib/client/http/header-habit.ts';
import type { ErsClient, Exchange } from '../../../lib/client/types.ts';
import { isSuccess, refusesMedia } from '../../../lib/wire/answer.ts';
import type { CheckContext, Fixture } from '../../kit/check.ts';
import { LostRecord } from '../../kit/fault.ts';
import { nameMember } from '../../kit/fields.ts';
import { createdId } from '../../kit/record/fixture.ts';

/** What one create came to. */
export interface TriedCreate {
  readonly exchange: Exchange;
  /** The record, if it could be found. */
  readonly own?: Fixture;
}

/** Creates a record in the form that the payload has, with other headers if the media types of the usual ones are refused. */
export async function tryCreate(
  context: CheckContext,
  client: ErsClient,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<TriedCreate> {
  const family = context.family.name;
  const sent = context.payload(overrides);
  let exchange = await context.send('create', { fields: sent });
  if (refusesMedia(exchange))
    exchange = await inTakenForm(client, 'create', (headers) => context.send('create', { fields: sent, headers }));
  if (!isSuccess(exchange)) return { exchange };
  const name = String(sent[nameMember(context.family) ?? 'name'] ?? '');
  const found = await createdId(context, family, exchange, name).catch((fault: unknown) => {
    if (fault instanceof LostRecord) return undefined;
    throw fault;
  });
  return found === undefined ? { exchange } : { exchange, own: { family, id: found.id, sent } };
}
