import type { Exchange } from '../../../lib/client/types.ts';
import { idOf, isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import type { CheckContext, Fixture } from '../check.ts';
import { nameGiven, textMember } from '../fields.ts';

/** A value as a reader sees it, cut. */
export function shown(value: unknown): string {
  return value === undefined ? 'absent' : (JSON.stringify(value) ?? 'absent').slice(0, 160);
}

/** Body of an update: everything that was sent, changed where named, and the id. */
export function updateFields(own: Fixture, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...own.sent, ...changes, id: own.id };
}

/** Name that a record was created under. */
export function nameOf(context: CheckContext, fixture: Fixture): string {
  return nameGiven(context.table[fixture.family], fixture.sent);
}

/** The member that a check may write free text to, with a text of this run. */
export function freeText(context: CheckContext, text: string): Record<string, unknown> {
  const member = textMember(context.family);
  return member === undefined ? {} : { [member]: context.run.values.adapt(member, text) };
}

/** Reads a record; undefined where the answer is no record. */
export async function readRecord(
  context: CheckContext,
  fixture: Pick<Fixture, 'family' | 'id'>,
): Promise<{ readonly exchange: Exchange; readonly record: JsonObject | undefined }> {
  const exchange = await context.send('read', { id: fixture.id }, fixture.family);
  return { exchange, record: isSuccess(exchange) ? recordOf(exchange) : undefined };
}

/** Reads until the record fits, at most for the visibility window; gives the last record seen either way. */
export async function readUntil(
  context: CheckContext,
  fixture: Pick<Fixture, 'family' | 'id'>,
  fits: (record: JsonObject) => boolean,
): Promise<{ readonly fits: boolean; readonly record: JsonObject | undefined }> {
  let last: JsonObject | undefined;
  const found = await context.eventually(async () => {
    last = (await readRecord(context, fixture)).record;
    return last !== undefined && fits(last) ? last : undefined;
  });
  return { fits: found !== undefined, record: last };
}

/** True once a read of the id no longer gives its record, at the latest after the visibility window. */
export async function isGone(context: CheckContext, fixture: Pick<Fixture, 'family' | 'id'>): Promise<boolean> {
  const gone = await context.eventually(async () => {
    const { record } = await readRecord(context, fixture);
    return record === undefined || idOf(record) !== fixture.id ? true : undefined;
  });
  return gone === true;
}
