import type { Exchange } from '../../../../lib/client/types.ts';
import { hasOp } from '../../../../lib/contract/types.ts';
import { memberOf } from '../../../../lib/contract/vendor.ts';
import { entriesOf, isSuccess, type JsonObject, recordOf } from '../../../../lib/wire/answer.ts';
import { answerText } from '../../../kit/answer.ts';
import { holds } from '../../../kit/contains-subset.ts';
import { nameMember } from '../../../kit/fields.ts';
import { shown } from '../../../kit/record-reads.ts';
import { type Attempt, attempt, leftBy } from '../../../kit/write-attempt.ts';
import { holdsLeaves, xmlRecords } from '../../../kit/xml-record.ts';
import type { Findings, Topic } from '../world/findings.ts';
import { isPointer, textMembers, type World } from '../world/world.ts';

type Form = 'json' | 'xml';

interface Look {
  readonly requirement: string;
  readonly answer: Exchange;
  /** The record as the answer shows it; undefined where it shows none. */
  readonly record: JsonObject | undefined;
  /** Members that are left out are not judged. */
  readonly mayOmit: boolean;
}

/** A name of digits alone that nobody else has: zeros first, then the number of this run and of the name. */
function digitsOf({ start, context }: World, turn: number): string {
  const run = Number.parseInt(context.run.prefix.replace(/[^0-9a-f]/gi, '').slice(-8), 16) % 10 ** 8;
  return `00${String(run).padStart(8, '0')}${start.slice(-1).charCodeAt(0) % 90}${turn}`;
}

/** Texts of digits for every text that a write may choose, the name among them. */
function digitTexts(world: World, turn: number): JsonObject {
  const name = nameMember(world.family) ?? 'name';
  const free = textMembers(world.family).filter((member) => member !== name && !isPointer(member));
  const texts = free.map((member, at): [string, string] => [member, `0${turn}73${at}10`]);
  return { ...Object.fromEntries(texts), [name]: digitsOf(world, turn) };
}

/** The record as it is read, and as its entry in a filtered list shows it, in JSON and XML. */
async function looksAt(
  { context, scope, family }: World,
  id: string,
  name: string | undefined,
): Promise<readonly Look[]> {
  const xml = { headers: { accept: 'application/xml' } };
  const takesXml = String(context.run.dialect('xml.response')).includes('xml');
  const field = family.filters.find((each) => memberOf(family.name, each) === nameMember(family));
  const list =
    field === undefined || name === undefined
      ? undefined
      : { filters: [{ field, operator: 'EQ' as const, value: name }] };
  const read = await scope.send('read', { id });
  const looks: Look[] = [{ requirement: 'PAY-C', answer: read, record: recordOf(read), mayOmit: false }];
  const inXml = (answer: Exchange) =>
    xmlRecords(answer.body).find((each) => each['id'] === id) as JsonObject | undefined;
  if (takesXml) {
    const answer = await scope.send('read', { id, ...xml });
    looks.push({ requirement: 'CNV-XML', answer, record: inXml(answer), mayOmit: false });
  }
  if (list === undefined) return looks;
  const answer = await scope.send('list', { list });
  const entry = entriesOf(answer)?.find((each) => each['id'] === id);
  looks.push({ requirement: entry === undefined ? 'FOP-EQ' : 'LIST-GET', answer, record: entry, mayOmit: true });
  if (!takesXml) return looks;
  const listed = await scope.send('list', { list, ...xml });
  return [...looks, { requirement: 'CNV-XML', answer: listed, record: inXml(listed), mayOmit: true }];
}

/** Holds what windows show against what was sent, until they agree or the visibility window is over. */
async function judge(world: World, topic: Topic, id: string, sent: JsonObject, out: Findings): Promise<boolean> {
  // After an update only reads are looked at: what lists show of digits does not depend on the write.
  const name = topic === 'create' ? String(sent[nameMember(world.family) ?? 'name']) : undefined;
  let wrong: (Look & { readonly member: string | undefined }) | undefined;
  await world.context.eventually(async () => {
    const looks = await looksAt(world, id, name);
    wrong = looks
      .map((look) => {
        const holding = look.requirement === 'CNV-XML' ? holdsLeaves : holds;
        const { record } = look;
        const member = Object.keys(sent).find(
          (each) => record !== undefined && !(look.mayOmit && !(each in record)) && !holding(record[each], sent[each]),
        );
        return { ...look, member };
      })
      .find(({ record, member }) => record === undefined || member !== undefined);
    return wrong === undefined ? true : undefined;
  });
  if (wrong === undefined) {
    out.held(topic);
    return true;
  }
  const { member, record, answer, requirement } = wrong;
  out.add(topic, {
    expected: member === undefined ? `the record ${id}` : `${member} ${shown(sent[member])}, as a text`,
    observed: member === undefined ? answerText(answer) : shown(record?.[member]),
    requirement: requirement === 'PAY-C' && topic === 'update' ? 'PAY-U' : requirement,
    exchanges: [answer],
  });
  return false;
}

/** What was sent of the texts of digits: what has to come back. */
const sentOf = (texts: JsonObject, { sent }: Attempt): JsonObject =>
  Object.fromEntries(Object.keys(texts).map((member) => [member, sent[member]]));

/** Records whose name and texts are digits alone, by each form of each write: no zero is lost, and none is taken for a number. */
export async function surveyDigits(world: World, out: Findings): Promise<void> {
  const { family, scope } = world;
  const context = { ...world.context, ...scope };
  if (!world.takesAnyName || !['create', 'read', 'delete'].every((op) => hasOp(family, op as 'create'))) return;
  if (!context.run.mayCreate()) return;
  for (const [turn, form] of (['json', 'xml'] as const satisfies readonly Form[]).entries()) {
    const texts = digitTexts(world, 2 * turn);
    const tried = await attempt(context, { format: form }, texts);
    // Which names a target takes is its own affair, and so is the form of a resource in XML.
    if (tried.made === undefined) {
      await leftBy(context, tried);
      continue;
    }
    const { id } = tried.made;
    let isRight = await judge(world, 'create', id, sentOf(texts, tried), out);
    if (isRight && hasOp(family, 'update')) {
      const changes = digitTexts(world, 2 * turn + 1);
      const flat = Object.entries(tried.sent).filter(([, value]) => form === 'json' || typeof value !== 'object');
      const fields = { ...Object.fromEntries(flat), ...changes, id };
      const answer = await scope.send('update', { id, fields, format: form });
      if (isSuccess(answer)) isRight = await judge(world, 'update', id, changes, out);
    }
    await scope.send('delete', { id });
    if (!isRight) return;
  }
}
