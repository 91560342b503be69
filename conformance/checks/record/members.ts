import type { Family } from '../../../lib/contract/types.ts';
import { checkOfEach } from '../../kit/check.ts';
import { Blocked } from '../../kit/fault.ts';
import { isCreatable, isServerFilled, nameMember, sentFields } from '../../kit/fields.ts';
import { create, read, update } from '../../plans/make.ts';
import { judgeSteps, type StepPlan } from '../../plans/obvious/steps.ts';
import { isUpdatable, onRecords } from './plans.ts';

/** The members that a request of the family carries, as variants; what deployments fill in themselves is recorded. */
const members = (op: 'create' | 'update') => (family: Family) =>
  sentFields(family, op).map(([member]) => ({
    name: member,
    data: member,
    ...(isServerFilled(family, member) ? { level: 'gap' as const } : {}),
  }));

export const createAllFields = checkOfEach<string>({
  ...onRecords,
  id: 'record/create-fields',
  title: 'each listed field that a create carries is stored',
  requirement: 'PAY-C',
  appliesTo: isCreatable,
  variants: members('create'),
  exercises: ['create'],
  async run(context, member) {
    const all = context.run.values.samples(0);
    const value = all[member] ?? (member === nameMember(context.family) ? '' : undefined);
    const isAbout: StepPlan['isAbout'] = ({ subject, kind }) => subject === `member ${member}` || kind === 'refused';
    // One record with everything; where the target refuses that, one with this member alone.
    for (const set of [all, value === undefined || value === '' ? {} : { [member]: value }]) {
      const why = await judgeSteps(context, { steps: [create('subject', set), read('subject')], isAbout });
      if (why === undefined) return undefined;
    }
    return { verdict: 'not-applicable', reason: `no value to send for ${member} is taken` };
  },
});

export const updateAllFields = checkOfEach<string>({
  ...onRecords,
  id: 'record/update-fields',
  title: 'each listed field that an update carries is stored',
  requirement: 'PAY-U',
  appliesTo: isUpdatable,
  variants: members('update'),
  dependsOn: ['record/update'],
  exercises: ['update'],
  async run(context, member) {
    const [before, after] = [context.run.values.samples(0), context.run.values.samples(1)];
    const steps = [create('subject', before), update('subject', after), read('subject')];
    const why = await judgeSteps(context, {
      steps,
      isAbout: ({ subject, kind }) => subject === `member ${member}` || kind === 'refused',
    });
    if (why !== undefined) throw new Blocked(why);
    return undefined;
  },
});

export const booleanStored = checkOfEach<string>({
  ...onRecords,
  id: 'record/boolean',
  title: 'true and false are stored under the listed name',
  requirement: 'RES-NAMES',
  appliesTo: (family) => isCreatable(family) && booleans(family).length > 0,
  variants: (family) => booleans(family).map((member) => ({ name: member, data: member })),
  async run(context, member) {
    for (const value of [true, false]) {
      const steps = [create('subject', { [member]: value }), read('subject')];
      const why = await judgeSteps(context, {
        steps,
        isAbout: ({ subject }) => subject === `member ${member}`,
        isOwn: true,
      });
      if (why !== undefined) throw new Blocked(why);
    }
    return undefined;
  },
});

function booleans(family: Family): readonly string[] {
  return sentFields(family, 'create')
    .filter(([member, { type }]) => type === 'boolean' && !isServerFilled(family, member))
    .map(([member]) => member);
}
