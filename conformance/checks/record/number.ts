import { type Family, fieldsOf } from '../../../lib/contract/types.ts';
import { answeredId, entriesOf, idOf, isForbidden, isSuccess, recordOf } from '../../../lib/wire/answer.ts';
import { mustSucceed } from '../../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach, type Variant } from '../../kit/check.ts';
import { Blocked, CheckFailure, NotTestable } from '../../kit/fault.ts';
import { isCreatable, type NumberRange, nameMember, rangedMembers, rangeOf } from '../../kit/fields.ts';
import { listEntries, takeUp } from '../../kit/record/finder.ts';
import { readRecord, shown, updateFields } from '../../kit/record/record-reads.ts';
import { create, read } from '../../plans/make.ts';
import { judgeSteps } from '../../plans/obvious/steps.ts';
import { onRecords } from './plans.ts';

const MOST_READ = 50;

const ranged: Check['appliesTo'] = (family) => isCreatable(family) && rangedMembers(family).length > 0;

/** Range of a member. */
function rangeIn(family: Family, member: string): NumberRange {
  const field = fieldsOf(family)[member];
  return (field && rangeOf(field)) ?? { low: 0, high: 0, or: [] };
}

/** Ends of a member's range. */
const limits = (context: CheckContext, member: string): NumberRange => rangeIn(context.family, member);

/** The ranged members that a number outside the range may be sent for, to have one generated. */
const generatedMembers = (family: Family): readonly string[] =>
  rangedMembers(family).filter((member) => rangeIn(family, member).or.length > 0);

/** True where a record of somebody holds the number already. */
export async function isTaken(context: CheckContext, member: string, value: number): Promise<boolean> {
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

/** The number that asks for one to be generated gets one from the range. */
export const numberGenerated = checkOfEach<string>({
  ...onRecords,
  id: 'number/generated',
  serial: true,
  title: 'a generated number is in the range',
  requirement: 'RES-SGTVAL',
  appliesTo: (family) => isCreatable(family) && generatedMembers(family).length > 0,
  variants: (family) => generatedMembers(family).map((name) => ({ name, data: name })),
  async run(context, member) {
    for (const asking of limits(context, member).or) {
      const steps = [create('subject', { [member]: asking }), read('subject')];
      const why = await judgeSteps(context, {
        steps,
        isAbout: ({ subject, requirement }) => subject === `member ${member}` && requirement !== 'RES-TYPE',
        subject: `number ${member}.generated`,
      });
      if (why !== undefined) throw new Blocked(why);
    }
    return undefined;
  },
});

/** One end of the range of a member. */
export interface Bound {
  readonly member: string;
  readonly value: number;
}

/** Both ends of each ranged member, as variants. */
export function bounds(family: Family): readonly (Variant & { readonly data: Bound })[] {
  return rangedMembers(family).flatMap((member) => {
    const { low, high } = rangeIn(family, member);
    return [
      { name: `${member}.low`, data: { member, value: low } },
      { name: `${member}.high`, data: { member, value: high } },
    ];
  });
}

/** Both ends of the range are taken and stored. */
export const numberBounds = checkOfEach<Bound>({
  ...onRecords,
  id: 'number/bounds',
  serial: true,
  title: 'the smallest and the largest number of the range are accepted and stored',
  requirement: 'RES-SGTVAL',
  appliesTo: ranged,
  variants: bounds,
  async run(context, { member, value }, { name }) {
    const steps = [create('subject', { [member]: value }), read('subject')];
    const why = await judgeSteps(context, {
      steps,
      // Another type is what schema/every-answer tells.
      isAbout: ({ subject, requirement }) => subject === `member ${member}` && requirement !== 'RES-TYPE',
      ...{ isOwn: true, subject: `number ${name}` },
    });
    if (why !== undefined) throw new NotTestable(`${member} ${value}: ${why}`, `${member} ${value} to be free`);
    return undefined;
  },
});

/** Numbers that a member must not hold, by name: just outside the range, and below those that ask for generation. */
function outsideOf({ low, high, or }: NumberRange): ReadonlyMap<string, number> {
  const named: readonly (readonly [string, number])[] = [
    ['low-1', low - 1],
    ['zero', 0],
    ...(or.length === 0 ? [] : [['below-generated', Math.min(...or) - 1] as const]),
    ['high+1', high + 1],
  ];
  return new Map(named.filter(([, value]) => (value < low || value > high) && !or.includes(value)));
}

/** Tries to create a record with the number; gives what is stored in its place, undefined where nothing is. */
async function storedBy(context: CheckContext, member: string, value: number): Promise<unknown> {
  const fields = context.payload({ [member]: value });
  const created = await context.send('create', { fields });
  if (isForbidden(created)) throw new Blocked('no permission to create');
  context.observe('status', created.status);
  // Made after the attempt: once it is seen, the attempt would be seen too.
  await context.fixture();
  context.witness('controls');
  const name = String(fields[nameMember(context.family) ?? 'name']);
  const given = isSuccess(created) ? answeredId(created) : undefined;
  for (const id of await takeUp(context, context.family.name, name, given)) {
    const { record } = await readRecord(context, { family: context.family.name, id });
    if (record !== undefined) return record[member];
  }
  return undefined;
}

/** No record ever holds a number outside the range. */
export const numberOutside = checkOfEach<{ readonly member: string; readonly kind: string }>({
  id: 'number/outside',
  serial: true,
  title: 'a number outside the range is stored by no create and no update',
  requirement: 'LIM-SGT',
  level: 'stated',
  appliesTo: ranged,
  variants: (family) =>
    rangedMembers(family).flatMap((name) =>
      [...outsideOf(rangeIn(family, name)).keys(), 'update'].map((kind) => ({
        name: `${name}.${kind}`,
        data: { member: name, kind },
      })),
    ),
  // What a read shows of numbers within the range has to be right, before one outside it can be wrong.
  dependsOn: ['record/create', 'number/bounds'],
  needs: 'own-data',
  async run(context, { member, kind }, { name }) {
    const range = limits(context, member);
    let stored: unknown;
    if (kind === 'update') {
      const own = await context.fixture();
      const answer = await context.send('update', {
        id: own.id,
        fields: updateFields(own, { [member]: range.high + 1 }),
      });
      context.observe('status', answer.status);
      const control = { [member]: context.payload()[member] };
      mustSucceed(
        await context.send('update', { id: own.id, fields: updateFields(own, control) }),
        'the control within the range',
      );
      context.witness('controls');
      const again = await context.send('update', {
        id: own.id,
        fields: updateFields(own, { [member]: range.high + 1 }),
      });
      context.observe('repeated status', again.status);
      stored = (await readRecord(context, own)).record?.[member];
    } else {
      stored = await storedBy(context, member, outsideOf(range).get(kind) ?? range.high + 1);
    }
    if (stored !== undefined && !(Number(stored) >= range.low && Number(stored) <= range.high)) {
      throw new CheckFailure({
        expected: `no ${member} outside ${range.low} to ${range.high}`,
        observed: `stored ${shown(stored)}`,
        about: { kind: 'accepted', operation: kind === 'update' ? 'update' : 'create', subject: `number ${name}` },
      });
    }
    return undefined;
  },
});
