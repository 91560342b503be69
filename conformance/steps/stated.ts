import type { Exchange } from '../../lib/client/types.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import { type Family, fieldsOf, type Op } from '../../lib/contract/types.ts';
import { isOfState, isSuccess } from '../../lib/wire/answer.ts';
import { raise, type Session } from '../driver/session.ts';
import { answerText, isExcused } from '../kit/answer.ts';
import { enumeratedMembers, isNumbered, rangeOf, referenceOf } from '../kit/fields.ts';
import { isServerFault } from '../kit/record/record-reads.ts';
import { isNumberListed } from '../kit/record/write-attempt.ts';
import { shrink } from '../kit/shrink.ts';
import { clausesText } from '../kit/text-words.ts';
import { type Fields, recordsIn } from '../model/history.ts';
import { isGenerated } from '../model/member.ts';

/** True if the table states that the member may have the value: a number of its range, a listed value, a truth value. */
function isStated(family: Family, member: string, value: unknown): boolean {
  const field = fieldsOf(family)[member];
  const range = rangeOf(field);
  if (range !== undefined)
    return typeof value === 'number' && ((value >= range.low && value <= range.high) || range.or.includes(value));
  if (field?.type === 'boolean') return typeof value === 'boolean';
  return typeof field?.type === 'object' && 'oneOf' in field.type && field.type.oneOf.includes(String(value));
}

/** True if the value names a record of the run that is there. */
function pointsAtRecord({ context: { table }, lessons }: Session, family: Family, member: string, value: unknown) {
  const named = referenceOf(table, family, member);
  return recordsIn(lessons.books).some((each) => each.family === named && each.id === value && each.isLive === true);
}

function requirementOf(family: Family, op: 'create' | 'update', members: readonly string[]): string {
  const [member = '', ...more] = members;
  if (more.length === 0 && isNumbered(family, member)) return 'RES-SGTVAL';
  if (more.length === 0 && enumeratedMembers(family).includes(member)) return 'RES-PTYPE';
  return opRequirementId(family.name, op);
}

const MOST_TRIES = 8;

/** A write that is taken only without some values has to take stated ones; `send` tries these. Source: "Resources and their fields". */
export async function mustTakeStated(
  session: Session,
  family: Family,
  op: 'create' | 'update',
  asked: Fields,
  send: (set: Fields) => Promise<Exchange | undefined>,
): Promise<void> {
  const stated: string[] = [];
  for (const [member, value] of Object.entries(asked)) {
    // Whether a record that has its number may get another one generated is not shown.
    const isOpen = op === 'update' && isGenerated(family, member, value);
    const isGiven = isStated(family, member, value) || pointsAtRecord(session, family, member, value);
    if (!isOpen && isGiven && !(await hasUsedNumber(session, family, { [member]: value }))) stated.push(member);
  }
  let last: Exchange | undefined;
  const isRefused = async (members: readonly string[]) => {
    const answer = await send(Object.fromEntries(members.map((member) => [member, asked[member]])));
    if (answer === undefined || isSuccess(answer) || isExcused(answer)) return false;
    last = answer;
    return true;
  };
  if (stated.length === 0 || !(await isRefused(stated))) return;
  const needed = await shrink(stated, isRefused, MOST_TRIES);
  // Which records may be named, and by how many, is not shown: to refuse one is a target's right, to fail at it is not.
  const pointers = needed.filter((member) => !isStated(family, member, asked[member]));
  if (pointers.length > 0 && !isServerFault(last as Exchange)) return;
  // A target that took these values before refuses them now for what else it holds, and how many may have them is not shown.
  const held = Object.fromEntries(needed.map((member) => [member, asked[member]]));
  if (isOfState(last as Exchange) && session.context.run.values.taken([op], held, family.name) > 0) return;
  const values = needed.map((member) =>
    pointers.includes(member) ? `${member} names another record` : `${member} is ${JSON.stringify(asked[member])}`,
  );
  raise(session, {
    requirement: requirementOf(family, op, needed),
    about: { kind: 'refused', operation: op, subject: needed.length === 1 ? `member ${needed[0]}` : 'request' },
    family: family.name,
    expected: `the ${op} to be taken: ${pointers.length > 0 ? 'the record that it names is there' : 'the tables allow each value'}`,
    observed: answerText(last as Exchange),
    ...{ onlyIf: clausesText(values) as string },
  });
}

/** Whether a record of the run has the number, or one in a list; undefined if nobody can tell. */
export async function isHeld({ lessons, context }: Session, family: Family, member: string, value: unknown) {
  const isOurs = recordsIn(lessons.books).some(
    (known) => known.family === family.name && known.isLive !== false && known.fields[member] === value,
  );
  return isOurs || (await isNumberListed(context, family, member, value));
}

/** True if a record may have the number, or nobody can tell. */
async function isUsed(session: Session, family: Family, member: string, value: unknown): Promise<boolean> {
  if (isGenerated(family, member, value)) return false;
  const times = (op: Op) => session.context.run.values.taken([op], { [member]: value }, family.name);
  // What a record had before may be kept from all others, unless two were created with it.
  if (times('create') === 1 || (times('create') === 0 && times('update') > 0)) return true;
  return (await isHeld(session, family, member, value)) ?? true;
}

/** True if a number among the fields may be that of another record. */
export async function hasUsedNumber(session: Session, family: Family, fields: Fields): Promise<boolean> {
  for (const [member, value] of Object.entries(fields))
    if (isNumbered(family, member) && (await isUsed(session, family, member, value))) return true;
  return false;
}

/** Other numbers in place of those that another record may have and that the step did not ask for: which are free is not known before. */
export async function freeNumbers(session: Session, family: Family, fields: Fields, asked: Fields): Promise<Fields> {
  const others = session.context.payload({}, family.name);
  const numbers: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(fields))
    if (isNumbered(family, member) && !(member in asked) && (await isUsed(session, family, member, value)))
      numbers[member] = others[member];
  return numbers;
}
