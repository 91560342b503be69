import { idOf, isSuccess, type JsonObject, recordOf } from '../../../../lib/wire/answer.ts';
import { walkList } from '../../../../lib/wire/list-walk.ts';
import type { CheckContext, Fixture, SharedScope } from '../../../kit/check.ts';
import type { About } from '../../../kit/fault.ts';
import { nameMember, textMember } from '../../../kit/fields.ts';
import { requesterOf } from '../../../kit/list/list-reader.ts';
import { memberDifference } from '../../../kit/record/member-failure.ts';
import { shown } from '../../../kit/record/record-reads.ts';

/** The list is read no further than this: on a longer one, records are held against reads alone. */
const MOST_PAGES = 10;

/** A record of a history, as the writes so far left it. */
export interface Held {
  readonly own: Fixture;
  readonly name: string;
  /** The free text as a read showed it after the last write; undefined before the first look. */
  readonly text: unknown;
  readonly isLive: boolean;
}

/** What reads or list showed that the writes so far do not explain. */
export interface Look {
  readonly expected: string;
  readonly observed: string;
  readonly about: Pick<About, 'kind' | 'subject'>;
}

type Looker = Pick<SharedScope, 'send' | 'follow'>;

/** Every record ever made, read by id; a live one has its name and text, a removed one is gone. */
export async function contradictedByReads(
  context: CheckContext,
  { send }: Looker,
  records: readonly Held[],
): Promise<Look | undefined> {
  const member = nameMember(context.family) ?? 'name';
  const text = textMember(context.family) ?? member;
  for (const { own, name, text: wanted, isLive } of records) {
    const answer = await send('read', { id: own.id });
    const record = isSuccess(answer) ? recordOf(answer) : undefined;
    const isThere = idOf(record) === own.id;
    if (isThere !== isLive) {
      return {
        expected: `${own.id} "${name}" ${isLive ? 'there' : 'gone'}`,
        observed: isThere ? 'it is there' : 'it is gone',
        about: { kind: 'no-effect', subject: 'record' },
      };
    }
    if (!isLive) continue;
    if (record?.[member] !== name)
      return memberDifference(member, record?.[member], `${member} ${shown(name)} of ${own.id}`);
    if (wanted !== undefined && record[text] !== wanted) {
      return memberDifference(text, record[text], `${text} ${shown(wanted)} of ${own.id}`);
    }
  }
  return undefined;
}

/** Ids of the history in the list, and of what else bears a name that begins as its names do; undefined where the list has no end. */
async function listedAlike(context: CheckContext, looker: Looker, base: string) {
  const filter = context.family.filters.includes('name')
    ? { filters: [{ field: 'name', operator: 'STARTSW' as const, value: base }] }
    : {};
  const result = await walkList(
    requesterOf(looker),
    { list: { ...filter, size: 100 } },
    { pages: MOST_PAGES, anySize: true },
  );
  if (result.refused !== undefined || result.cut !== undefined) return undefined;
  const named = (record: JsonObject) => String(record['name'] ?? '').startsWith(base);
  return { ids: result.ids, alike: result.items.filter(({ record }) => named(record)).map(({ id }) => id) };
}

/** The list: every live record, no removed one, and none that no create of the history made. */
export async function contradictedByList(
  context: CheckContext,
  looker: Looker,
  records: readonly Held[],
): Promise<Look | 'unread' | undefined> {
  const base = records[0]?.name ?? '';
  const listed = await listedAlike(context, looker, base);
  if (listed === undefined) return 'unread';
  const live = records.filter(({ isLive }) => isLive).map(({ own }) => own.id);
  const removed = records.filter(({ isLive }) => !isLive).map(({ own }) => own.id);
  const missing = live.filter((id) => !listed.ids.includes(id));
  const extra = [...new Set([...removed.filter((id) => listed.ids.includes(id)), ...listed.alike])].filter(
    (id) => !live.includes(id),
  );
  for (const id of extra.filter((each) => !removed.includes(each))) context.ledger.adopt(context.family.name, id, base);
  if (missing.length + extra.length === 0) return undefined;
  return {
    expected: `the list to hold the ${live.length} records of the history that begin with ${base}`,
    observed: `${missing.length} missing (${missing.join(', ')}), ${extra.length} too many (${extra.join(', ')})`,
    about: { kind: 'records', subject: 'list' },
  };
}
