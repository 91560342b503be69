import { type Family, hasOp, type Op } from '../../../lib/contract/types.ts';
import { checkOfEach, notApplicable } from '../../kit/check.ts';
import { isCreatable, isServerFilled, otherListed, rangedMembers, sentFields } from '../../kit/fields.ts';
import type { Fields } from '../../model/history.ts';
import { create, read, update } from '../../plans/make.ts';
import { judgeSteps, mustTakeSteps, type StepPlan } from '../../plans/obvious/steps.ts';
import { listedMembers } from '../../plans/pairs/values.ts';
import { onRecords } from '../common.ts';
import { rangeIn } from './number.ts';

/** A create with the values, and an update to them of a record that has others; a refusal of what the tables state is a difference. */
function plansWith(family: Family, values: Fields, others: Fields): readonly StepPlan[] {
  const isOf =
    (op: Op): NonNullable<StepPlan['isAbout']> =>
    ({ subject, kind, operation }) =>
      operation === op && (kind === 'refused' || Object.keys(values).some((member) => subject === `member ${member}`));
  const created = { steps: [create('subject', values), read('subject')], isAbout: isOf('create') };
  const steps = [create('subject', others), update('subject', values), read('subject')];
  return [created, ...(hasOp(family, 'update') ? [{ steps, isAbout: isOf('update') }] : [])];
}

/** The ends of each range, and what asks for a number. */
const numbers = (family: Family): readonly Fields[] =>
  rangedMembers(family).flatMap((member) => {
    const { low, high, or } = rangeIn(family, member);
    return [low, high, ...or].map((value) => ({ [member]: value }));
  });

const booleans = (family: Family): readonly string[] =>
  sentFields(family, 'create').flatMap(([member, { type }]) =>
    type === 'boolean' && !isServerFilled(family, member) ? [member] : [],
  );

export const booleanStored = checkOfEach<string>({
  ...onRecords,
  id: 'record/boolean',
  serial: true,
  title: 'true and false are taken with every number of a range, and stored under the listed name',
  requirement: 'RES-NAMES',
  appliesTo: (family) => isCreatable(family) && booleans(family).length > 0,
  variants: booleans,
  async run(context, member) {
    const { family } = context;
    for (const value of [true, false]) {
      await mustTakeSteps(context, {
        steps: [create('subject', { [member]: value }), read('subject')],
        isAbout: ({ subject }) => subject === `member ${member}`,
        isOwn: true,
      });
      // A number that is in use is no reason to fail.
      for (const more of numbers(family))
        for (const plan of plansWith(family, { [member]: value, ...more }, { [member]: !value }))
          await judgeSteps(context, plan);
    }
  },
});

const listed = (family: Family) =>
  listedMembers(family).flatMap(({ member, values }) => values.map((value) => ({ member, value })));

export const listedValuesTaken = checkOfEach({
  ...onRecords,
  id: 'record/each-listed-value',
  title: 'each listed value is taken and stored, by creates and by updates',
  requirement: 'RES-PTYPE',
  appliesTo: (family) => isCreatable(family) && listed(family).length > 0,
  variants: (family) => listed(family).map((data) => ({ name: `${data.member}.${data.value}`, data })),
  async run(context, { member, value }) {
    const { family, run, payload } = context;
    if (!(member in run.values.adaptAll({ [member]: value })))
      return notApplicable(`the target sets ${member} by itself`);
    const values = { [member]: value };
    for (const plan of plansWith(family, values, payload()[member] === value ? otherListed(family, values) : {}))
      await mustTakeSteps(context, plan);
    return undefined;
  },
});
