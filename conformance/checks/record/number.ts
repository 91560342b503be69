import { type Family, fieldsOf } from '../../../lib/contract/types.ts';
import { entriesOf, idOf, isSuccess, recordOf } from '../../../lib/wire/answer.ts';
import { answerFailure, mustBeAllowed } from '../../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach, type Variant } from '../../kit/check.ts';
import { NotTestable } from '../../kit/fault.ts';
import { isCreatable, type NumberRange, rangedMembers, rangeOf } from '../../kit/fields.ts';
import { listEntries } from '../../kit/record/finder.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { readUntil, updateFields } from '../../kit/record/record-reads.ts';
import { attemptOnly } from '../../kit/record/write-attempt.ts';
import { create, read } from '../../plans/make.ts';
import { judgeSteps, mustTakeSteps, type StepPlan } from '../../plans/obvious/steps.ts';
import { isUpdatable, onRecords } from '../common.ts';

const MOST_READ = 50;

export const ranged: Check['appliesTo'] = (family) => isCreatable(family) && rangedMembers(family).length > 0;

export const rangeIn = (family: Family, member: string): NumberRange =>
  rangeOf(fieldsOf(family)[member]) ?? { low: 0, high: 0, or: [] };

/** The ranged members that a number outside the range may be sent for, to have one generated. */
const generatedMembers = (family: Family): readonly string[] =>
  rangedMembers(family).filter((member) => rangeIn(family, member).or.length > 0);

/** True if a record of somebody holds the number already, or creates are refused for it too, although the target took it before. */
async function isTaken(context: CheckContext, member: string, value: number): Promise<boolean> {
  const used = { [member]: value };
  if (
    context.run.values.wasTaken(['create', 'update'], used) &&
    !isSuccess((await attemptOnly(context, {}, used)).exchange)
  )
    return true;
  const filters = [{ field: member, operator: 'EQ' as const, value: String(value) }];
  const entries = context.family.filters.includes(member)
    ? (entriesOf(await context.send('list', { list: { filters } })) ?? [])
    : await listEntries(context, context.family.name);
  for (const entry of entries.slice(0, MOST_READ)) {
    const id = idOf(entry);
    const read = id === undefined ? undefined : await context.send('read', { id });
    if (read !== undefined && recordOf(read)?.[member] === value) return true;
  }
  return false;
}

/** A create with the number, and a read. Another type is what schema/every-answer tells. */
const stored = (member: string, value: number, name: string): StepPlan => ({
  steps: [create('subject', { [member]: value }), read('subject')],
  isAbout: ({ subject, requirement }) => subject === `member ${member}` && requirement !== 'RES-TYPE',
  subject: `number ${name}`,
});

export const numberGenerated = checkOfEach<string>({
  ...onRecords,
  id: 'number/generated',
  serial: true,
  title: 'a generated number is in the range',
  requirement: 'RES-SGTVAL',
  appliesTo: (family) => isCreatable(family) && generatedMembers(family).length > 0,
  variants: (family) => generatedMembers(family).map((name) => ({ name, data: name })),
  async run(context, member) {
    for (const asking of rangeIn(context.family, member).or)
      await mustTakeSteps(context, stored(member, asking, `${member}.generated`));
  },
});

/** One end of the range of a member. */
export interface Bound {
  readonly member: string;
  readonly value: number;
}

/** Both ends of each ranged member, as variants. */
function bounds(family: Family): readonly (Variant & { readonly data: Bound })[] {
  return rangedMembers(family).flatMap((member) => {
    const { low, high } = rangeIn(family, member);
    return [
      { name: `${member}.low`, data: { member, value: low } },
      { name: `${member}.high`, data: { member, value: high } },
    ];
  });
}

export const numberBounds = checkOfEach<Bound>({
  ...onRecords,
  id: 'number/bounds',
  serial: true,
  title: 'the smallest and the largest number of the range are accepted and stored',
  requirement: 'RES-SGTVAL',
  appliesTo: ranged,
  variants: bounds,
  async run(context, { member, value }, { name }) {
    const why = await judgeSteps(context, { ...stored(member, value, name), isOwn: true });
    if (why !== undefined) throw new NotTestable(`${member} ${value}: ${why}`, `${member} ${value} to be free`);
  },
});

/** A record moves to both ends of the range and away again: what a create may hold, an update may set. */
export const numberBoundsByUpdate = checkOfEach<Bound>({
  ...onRecords,
  id: 'number/bounds-by-update',
  serial: true,
  title: 'an update stores the smallest and the largest number of the range',
  requirement: 'RES-SGTVAL',
  appliesTo: (family, table) => isUpdatable(family, table) && rangedMembers(family).length > 0,
  variants: bounds,
  // A number that a removed record still holds would be refused too.
  dependsOn: ['record/create', 'record/update', 'record/update-creates-none', 'record/delete-unlists'],
  exercises: ['update'],
  async run(context, { member, value }, { name }) {
    const own = await context.fixture();
    for (const number of [value, Number(own.sent[member])]) {
      const answer = await context.send('update', { id: own.id, fields: updateFields(own, { [member]: number }) });
      mustBeAllowed(answer);
      if (!isSuccess(answer)) {
        if (await isTaken(context, member, number))
          throw new NotTestable(`${member} ${number} is in use on the target`, `${member} ${number} to be free`);
        throw answerFailure(`an update to ${member} ${number} to be taken`, answer, `number ${name}`);
      }
      const { fits, record } = await readUntil(context, own, (held) => held[member] === number);
      if (!fits)
        throw memberFailure('update', member, record?.[member], `${member} ${number}`, { subject: `number ${name}` });
      context.witness('updates');
    }
  },
});
