import type { Family } from '../../../lib/contract/types.ts';
import { type Check, checkOfEach } from '../../kit/check.ts';
import { isCreatable, isServerFilled, nameMember, sentFields } from '../../kit/fields.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { readRecord } from '../../kit/record/record-reads.ts';
import { fullRecord } from '../../kit/record/write-attempt.ts';
import { create, read, update } from '../../plans/make.ts';
import { judgeSteps, mustTakeSteps, type StepPlan } from '../../plans/obvious/steps.ts';
import { isUpdatable, onRecords } from '../common.ts';

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
    const sets = [all, value === undefined || value === '' ? {} : { [member]: value }];
    const plans = sets.map((set): StepPlan => ({ steps: [create('subject', set), read('subject')], isAbout }));
    if ((await judgeSteps(context, plans)) === undefined) return undefined;
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
    const { family, run } = context;
    const stored = (about: readonly string[], ...named: [] | [{ fresh: string }]): StepPlan => ({
      steps: [
        create('subject', run.values.samples(0)),
        update('subject', run.values.samples(1), ...named),
        read('subject'),
      ],
      isAbout: ({ subject, kind }) => about.some((each) => subject === `member ${each}`) || kind === 'refused',
    });
    // A new name is stored with everything else that the same update changes.
    const all = sentFields(family, 'update').flatMap(([each]) => (isServerFilled(family, each) ? [] : [each]));
    const renaming = member === nameMember(family) ? [stored(all, { fresh: 'b' })] : [];
    await mustTakeSteps(context, [...renaming, stored([member])]);
  },
});

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** True for names that a typist or a corrector would take for the same: they differ by one letter, or in case. */
function isLike(a: string, b: string): boolean {
  const [x, y] = [plain(a), plain(b)];
  if (x === y) return true;
  if (x.length !== y.length) return false;
  return [...x].filter((letter, index) => letter !== y[index]).length === 1;
}

export const fieldNames: Check = {
  ...onRecords,
  id: 'record/field-names',
  title: 'fields have exactly the listed names',
  requirement: 'RES-NAMES',
  async run(context) {
    const own = await fullRecord(context);
    const { record } = await readRecord(context, own);
    const listed = sentFields(context.family, 'update').map(([member]) => member);
    for (const member of Object.keys(own.sent)) {
      if (record !== undefined && member in record) {
        context.witness('names');
        continue;
      }
      const other = Object.keys(record ?? {}).find((held) => !listed.includes(held) && isLike(held, member));
      if (other !== undefined)
        throw memberFailure('create', member, undefined, `the member ${member}`, { observed: `${other} in its place` });
    }
  },
};
