import { opRequirementId } from '../../../lib/contract/requirements.ts';
import type { Op } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { idOf, isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import type { CheckContext, Fixture } from '../check.ts';
import { type CheckFailure, failure, type Subject, ToleratedDeviation, type UnreadableRecord } from '../fault.ts';
import { nameGiven, nameMember, textMember } from '../fields.ts';
import { until } from '../poller.ts';

export const shown = (value: unknown): string =>
  value === undefined ? 'absent' : (JSON.stringify(value) ?? 'absent').slice(0, 160);

/** Body of an update: everything that was sent, changed where named, and the id. */
export const updateFields = (own: Fixture, to: JsonObject): JsonObject => ({ ...own.sent, ...to, id: own.id });

export const nameOf = (context: CheckContext, fixture: Fixture): string =>
  nameGiven(context.table[fixture.family], fixture.sent);

/** The member that a check may write free text to, with a text of this run; a name holds that of the record, as no two have one. */
export function freeText(context: CheckContext, text: string, own: Fixture): Record<string, unknown> {
  const { family, run } = context;
  const member = textMember(family);
  if (member === undefined) return {};
  const given = member === nameMember(family) ? text.replace(run.prefix, nameOf(context, own)) : text;
  return { [member]: run.values.adapt(member, given) };
}

export async function readRecord(context: Pick<CheckContext, 'send'>, fixture: Pick<Fixture, 'family' | 'id'>) {
  const exchange = await context.send('read', { id: fixture.id }, fixture.family);
  return { exchange, record: isSuccess(exchange) ? recordOf(exchange) : undefined };
}

/** Reads the first of some list entries, one after the other; of one without an id, nothing is read. */
export async function* readEntries(
  context: Pick<CheckContext, 'send' | 'family'>,
  entries: readonly JsonObject[] | undefined,
  most: number,
) {
  for (const entry of entries?.slice(0, most) ?? []) {
    const id = idOf(entry);
    if (id !== undefined) yield { id, entry, ...(await readRecord(context, { family: context.family.name, id })) };
  }
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

/** Requires that a read comes to show what was sent of a member by the operation. */
export async function mustShow(
  context: CheckContext,
  fixture: Pick<Fixture, 'family' | 'id'>,
  operation: Op,
  [member, value]: readonly [member: string, value: unknown],
): Promise<void> {
  const { fits, record } = await readUntil(context, fixture, (held) => held[member] === value);
  if (!fits) throw memberFailure(operation, member, record?.[member], `${member} ${shown(value)}`);
}

/** True once a read of the id no longer gives its record, at the latest after the visibility window. */
export const isGone = async (context: CheckContext, fixture: Pick<Fixture, 'family' | 'id'>): Promise<boolean> =>
  until(context, async () => idOf((await readRecord(context, fixture)).record) !== fixture.id);

/** The failure of a member that is absent or wrong. `operation`: the write whose value it should show, or the read that shows it. */
export const memberFailure = (
  operation: Op,
  member: string,
  seen: unknown,
  expected: string,
  { observed = shown(seen), subject = `member ${member}` }: { observed?: string; subject?: Subject } = {},
): CheckFailure =>
  failure(seen === undefined ? 'missing' : 'value', operation, subject, { expected, observed }, { member });

/** The failure of a required member that a record lacks; real deployments are recorded to leave some out. */
export function absentMember({ family }: Pick<CheckContext, 'family'>, record: JsonObject, member: string) {
  const observed = `absent from ${shown(record)}`;
  const failed = memberFailure('read', member, undefined, `the member ${member}`, { observed });
  const isTolerated = vendorFacts(family.name).toleratedAbsent?.includes(member) ?? false;
  return isTolerated ? new ToleratedDeviation(failed.facts) : failed;
}

/** A failure of the server itself: no valid request is a reason for one. Source: "What the service does". */
export const isServerFault = ({ status }: { readonly status?: number | undefined }): boolean =>
  status === 500 || status === 501;

export const FINDABLE = 'a record that can be found and read';

/** The failure of a read that the server fails at, although the list shows the record. */
export const unreadable = ({ message }: UnreadableRecord, family: string): CheckFailure =>
  failure('no-effect', 'read', 'record', {
    expected: FINDABLE,
    observed: message,
    requirement: opRequirementId(family, 'read'),
  });
