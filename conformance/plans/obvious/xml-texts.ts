import { entriesOf, idOf, type JsonObject } from '../../../lib/wire/answer.ts';
import type { ListQuery } from '../../../lib/wire/query.ts';
import type { CheckContext, Fixture } from '../../kit/check.ts';
import { failure } from '../../kit/fault.ts';
import { nameMember, textMember } from '../../kit/fields.ts';
import { xmlRecords } from '../../kit/record/xml-record.ts';
import { isShownInXml } from '../../model/value.ts';

const byId = <T extends Readonly<Record<string, unknown>>>(entries: readonly T[]): ReadonlyMap<string | undefined, T> =>
  new Map(entries.map((entry) => [idOf(entry), entry]));

/** True if XML entries show the texts of the JSON list, or what was written; false without entries. Throws `CheckFailure` for others. */
export async function mustShowTexts(context: CheckContext, list: ListQuery, own: readonly Fixture[] = []) {
  const members = [nameMember(context.family), textMember(context.family)].flatMap((member) => member ?? []);
  const sent = new Map(own.map((each) => [each.id, each.sent]));
  const whole = (entry: JsonObject): JsonObject => ({ ...sent.get(idOf(entry) ?? ''), ...entry });
  const inJson = async () => (entriesOf(await context.send('list', { list })) ?? []).map(whole);
  let wrong: { readonly member: string; readonly expected: string; readonly observed: unknown } | undefined;
  let isTold = false;
  await context.eventually(async () => {
    const before = await inJson();
    const shown = await context.send('list', { list, headers: { accept: 'application/xml' } });
    const after = byId(await inJson());
    const entries = byId(xmlRecords(shown.body));
    wrong = undefined;
    for (const usual of before) {
      const [entry, again] = [entries.get(idOf(usual)), after.get(idOf(usual))];
      for (const member of members) {
        const text = usual[member];
        if (entry === undefined || typeof text !== 'string' || text === '' || again?.[member] !== text) continue;
        isTold = true;
        if (isShownInXml(entry[member], text)) context.witness('texts');
        else wrong ??= { member, expected: text, observed: entry[member] };
      }
    }
    return wrong === undefined ? true : undefined;
  });
  if (wrong === undefined) return isTold;
  const { member, expected, observed } = wrong;
  throw failure('value', 'list', `member ${member}`, {
    requirement: 'LIST-GET',
    expected: `${member} ${JSON.stringify(expected)} in a list in XML, as in JSON`,
    observed: JSON.stringify(observed) ?? 'absent',
  });
}
