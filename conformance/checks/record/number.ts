import { type Family, fieldsOf, type Op } from '../../../lib/contract/types.ts';
import { mustBeAllowed, prerequisite } from '../../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach, type Fixture } from '../../kit/check.ts';
import { failure, NotTestable } from '../../kit/fault.ts';
import { enumeratedMembers, isCreatable, type NumberRange, rangedMembers, rangeOf } from '../../kit/fields.ts';
import { mustShow, readRecord, shown, updateFields } from '../../kit/record/record-reads.ts';
import { attempt, leftBy } from '../../kit/record/write-attempt.ts';
import { create, read } from '../../plans/make.ts';
import { judgeSteps, mustTakeSteps, type StepPlan } from '../../plans/obvious/steps.ts';
import { onRecords } from '../common.ts';

const ranged: Check['appliesTo'] = (family) => isCreatable(family) && rangedMembers(family).length > 0;

export const rangeIn = (family: Family, member: string): NumberRange =>
  rangeOf(fieldsOf(family)[member]) ?? { low: 0, high: 0, or: [] };

/** The ranged members that a number outside the range may be sent for, to have one generated. */
const generatedMembers = (family: Family): readonly string[] =>
  rangedMembers(family).filter((member) => rangeIn(family, member).or.length > 0);

/** A create with a number in a member. Another type is what schema/every-answer tells. */
const numbered = (member: string, name: string, value: number): StepPlan => ({
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
  variants: generatedMembers,
  async run(context, member) {
    for (const asking of rangeIn(context.family, member).or)
      await mustTakeSteps(context, numbered(member, `${member}.generated`, asking));
  },
});

const bounds = (family: Family) =>
  rangedMembers(family).flatMap((member) =>
    (['low', 'high'] as const).map((end) => ({
      name: `${member}.${end}`,
      data: { member, value: rangeIn(family, member)[end] },
    })),
  );

const numberBounds = checkOfEach({
  ...onRecords,
  id: 'number/bounds',
  serial: true,
  title: 'the smallest and the largest number of the range are accepted and stored',
  requirement: 'RES-SGTVAL',
  appliesTo: ranged,
  variants: bounds,
  async run(context, { member, value }, { name }) {
    const why = await judgeSteps(context, { ...numbered(member, name, value), isOwn: true });
    if (why !== undefined) throw new NotTestable(`${member} ${value}: ${why}`, `${member} ${value} to be free`);
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

/** Tries to create a record with a value that the member must not hold; gives what is stored in its place. `judge` looks at the control. */
async function storedBy(
  context: CheckContext,
  member: string,
  value: unknown,
  format: 'json' | 'xml' = 'json',
  judge: (control: Fixture) => Promise<void> = async () => undefined,
): Promise<unknown[]> {
  const tried = await attempt(context, { format }, { [member]: value });
  mustBeAllowed(tried.exchange, 'no permission to create');
  context.observe('status', tried.exchange.status);
  // Made after the attempt: once it is seen, the attempt would be seen too.
  await judge(await context.fixture());
  context.witness('controls');
  const stored: unknown[] = [];
  for (const id of await leftBy(context, tried))
    stored.push((await readRecord(context, { family: context.family.name, id })).record?.[member]);
  return stored;
}

/** What a record holds after updates to numbers that it must not hold, with one between them that it may. */
async function heldAfter(context: CheckContext, member: string, values: readonly number[]): Promise<unknown[]> {
  const own = await context.fixture();
  const send = (number: unknown, format: 'json' | 'xml' = 'json') =>
    context.send('update', { id: own.id, fields: updateFields(own, { [member]: number }), format });
  const held: unknown[] = [];
  for (const value of values) {
    context.observe('status', (await send(value)).status);
    prerequisite(await send(context.payload()[member]));
    context.witness('controls');
    context.observe('repeated status', (await send(value, value === values.at(-1) ? 'xml' : 'json')).status);
    held.push((await readRecord(context, own)).record?.[member]);
  }
  return held;
}

/** Fails if a number is stored that the member must not hold. Source: "Limits". */
export function mustBeWithin(family: Family, member: string, held: readonly unknown[], operation: Op, name: string) {
  const { low, high } = rangeIn(family, member);
  const expected = `no ${member} outside ${low} to ${high}`;
  for (const each of held)
    if (each !== undefined && !(Number(each) >= low && Number(each) <= high))
      throw failure('accepted', operation, `number ${name}`, {
        ...{ expected, observed: `stored ${shown(each)}`, requirement: 'LIM-SGT' },
      });
}

export const numberOutside = checkOfEach({
  ...onRecords,
  id: 'number/outside',
  serial: true,
  title: 'a number outside the range is stored by no create and no update',
  requirement: 'LIM-SGT',
  appliesTo: ranged,
  variants: (family) =>
    rangedMembers(family).flatMap((member) =>
      [...outsideOf(rangeIn(family, member)).keys(), 'update'].map((kind) => ({
        name: `${member}.${kind}`,
        data: { member, kind },
      })),
    ),
  // What a read shows of numbers within the range has to be right, before one outside it can be wrong.
  dependsOn: ['record/create', 'number/bounds'],
  restsOn: ['number/bounds'],
  async run(context, { member, kind }, { name }) {
    const outside = outsideOf(rangeIn(context.family, member));
    const isUpdate = kind === 'update';
    const held = isUpdate
      ? await heldAfter(context, member, [...outside.values()])
      : await storedBy(context, member, outside.get(kind));
    if (kind === 'high+1') held.push(...(await storedBy(context, member, outside.get(kind), 'xml')));
    mustBeWithin(context.family, member, held, isUpdate ? 'update' : 'create', name);
  },
});

const UNLISTED = 'CFMUNLISTED';

const enumeratedOnly = checkOfEach<string>({
  ...onRecords,
  id: 'record/listed-values',
  title: 'a value outside the listed ones is not stored',
  requirement: 'RES-PTYPE',
  appliesTo: (family) => isCreatable(family) && enumeratedMembers(family).length > 0,
  variants: enumeratedMembers,
  async run(context, member) {
    const stored = await storedBy(context, member, UNLISTED, 'json', (control) =>
      mustShow(context, control, 'create', [member, control.sent[member]]),
    );
    if (stored.includes(UNLISTED))
      throw failure('accepted', 'create', `member ${member}`, {
        expected: `no ${member} outside the listed values`,
        observed: `stored ${shown(UNLISTED)}`,
      });
  },
});

export const numberChecks: readonly Check[] = [numberGenerated, numberBounds, numberOutside, enumeratedOnly];
