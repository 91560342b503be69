import { type Family, type Field, fieldsOf } from '../../../lib/contract/types.ts';
import { jsonText } from '../../../lib/json-text.ts';
import { isSuccess, type JsonObject } from '../../../lib/wire/answer.ts';
import { prerequisite } from '../../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach, notApplicable, type Outcome } from '../../kit/check.ts';
import { mustBeBlocked, NotTestable } from '../../kit/fault.ts';
import { isCreatable, isServerFilled, nameMember, sentFields, textMember } from '../../kit/fields.ts';
import { isNothing } from '../../kit/list/value.ts';
import { memberFailure, nameOf, readRecord, readUntil, shown, updateFields } from '../../kit/record/record-reads.ts';
import { isShownAs } from '../../model/value.ts';
import { create, read, update } from '../../plans/make.ts';
import { judgeSteps, mustTakeSteps, type StepPlan } from '../../plans/obvious/steps.ts';
import { isUpdatable, onRecords, onWrites } from '../common.ts';

/** The members that a request of the family carries, as variants; what deployments fill in themselves is recorded. */
const members = (op: 'create' | 'update') => (family: Family) =>
  sentFields(family, op).map(([member]) => ({
    name: member,
    data: member,
    ...(isServerFilled(family, member) ? { level: 'gap' as const } : {}),
  }));

/** Why a member cannot be looked at: no body holds it, or each update sends what it holds already. */
function unseen({ family, run, payload }: CheckContext, member: string, op: 'create' | 'update'): Outcome | undefined {
  const [one, other] = [run.values.samples(0), run.values.samples(1)];
  const made = payload();
  if (!(member in { ...one, ...made, id: '' })) return notApplicable(`no value to send for ${member}`);
  const isMadeEachTime = one[member] === undefined && typeof made[member] !== 'object';
  const isSame = !isMadeEachTime && jsonText(one[member]) === jsonText(other[member]);
  if (op === 'create' || !isSame || isServerFilled(family, member)) return undefined;
  return notApplicable(`no other value to send for ${member}`);
}

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
    const { [member]: value } = all;
    const nothing = unseen(context, member, 'create');
    if (nothing !== undefined) return nothing;
    const isAbout: StepPlan['isAbout'] = ({ subject, kind }) => subject === `member ${member}` || kind === 'refused';
    // One record with everything; where the target refuses that, one with this member alone.
    const sets = [all, value === undefined || value === '' ? {} : { [member]: value }];
    const plans = sets.map((set): StepPlan => ({ steps: [create('subject', set), read('subject')], isAbout }));
    const why = await judgeSteps(context, plans);
    return why === undefined ? undefined : notApplicable(`no value to send for ${member} is taken`);
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
    const samples = ([0, 1] as const).map((turn) => run.values.samples(turn));
    const nothing = unseen(context, member, 'update');
    if (nothing !== undefined) return nothing;
    // A target may take no empty list or object.
    const held = samples.map((set) => Object.fromEntries(Object.entries(set).filter(([, value]) => !isNothing(value))));
    const stored = (
      about: readonly string[],
      [first, second] = samples,
      ...named: [] | [{ fresh: string }]
    ): StepPlan => ({
      steps: [create('subject', first), update('subject', second, ...named), read('subject')],
      isAbout: ({ subject, kind }) => about.some((each) => subject === `member ${each}`) || kind === 'refused',
    });
    // A new name is stored with everything else that the same update changes.
    const all = sentFields(family, 'update').flatMap(([each]) => (isServerFilled(family, each) ? [] : [each]));
    const renaming = member === nameMember(family) ? [stored(all, samples, { fresh: 'b' })] : [];
    await mustTakeSteps(context, [...renaming, stored([member]), stored([member], held)]);
    const value = run.values.samples(1)[member];
    if (value === undefined) return undefined;
    const alone = { ...update('subject', { [member]: value }), isAlone: true } as const;
    // Which members an update has to carry is not shown: one that lacks some may be refused.
    await judgeSteps(context, {
      steps: [create('subject', samples[0]), alone, read('subject')],
      isAbout: ({ subject, kind }) => subject === `member ${member}` && kind !== 'refused',
      onlyIf: 'the update leaves out what else the record holds',
    });
    return undefined;
  },
});

function valuesOf({ type, form }: Field): readonly unknown[] {
  const url = 'https://portal.example/first';
  if (form === 'url') return [url, 'https://portal.example/second?a=1&b=%2B#c', url];
  if (type === 'object[]')
    return [[{ name: 'cfm-a' }], [{ name: 'cfm-a' }, { name: 'cfm-b' }], [{ name: 'cfm-b' }], []];
  return [];
}

const filled = (family: Family): readonly string[] =>
  sentFields(family, 'update').flatMap(([member, field]) =>
    isServerFilled(family, member) && valuesOf(field).length > 0 ? [member] : [],
  );

/** A deployment may fill in such a member by itself; one that takes it from a create takes it from an update. */
export const filledFields = checkOfEach<string>({
  ...onRecords,
  id: 'record/filled-fields',
  title: 'a field that a create sets and a read shows is set by updates too',
  requirement: 'PAY-U',
  appliesTo: (family, table) => isUpdatable(family, table) && filled(family).length > 0,
  variants: filled,
  dependsOn: ['record/create', 'record/update'],
  async run(context, member) {
    const [first, ...later] = valuesOf(fieldsOf(context.family)[member] as Field);
    const isShown = (value: unknown) => (record: JsonObject) => isShownAs(record[member], value, 'json');
    const own = await context.fixture({ [member]: first }).catch(mustBeBlocked);
    if (own === undefined) return notApplicable(`the target refuses such a ${member}`);
    const { record } = await readRecord(context, own);
    if (record === undefined || !isShown(first)(record))
      return notApplicable(`the target fills in ${member} by itself`);
    let compared = 0;
    const name = nameMember(context.family);
    // A rename at last: it sends the member as before, and has to leave it.
    const renamed = name === undefined ? [] : [{ [member]: first, [name]: `${nameOf(context, own)}b` }];
    for (const [at, changes] of [...later.map((value) => ({ [member]: value })), ...renamed].entries()) {
      const [last, value] = [[first, ...later][at], changes[member]];
      if (!isSuccess(await context.send('update', { id: own.id, fields: updateFields(own, changes) }))) continue;
      // A server may add to a list that is sent empty; what was there before is not what it adds.
      const isEmptied = (held: JsonObject) => !isShown(last)(held);
      const isEmpty = Array.isArray(value) && value.length === 0;
      const seen = await readUntil(context, own, isEmpty ? isEmptied : isShown(value));
      compared += 1;
      context.witness('compared');
      if (!seen.fits) throw memberFailure('update', member, seen.record?.[member], `${member} ${shown(value)}`);
    }
    return compared > 0 ? undefined : notApplicable(`the target refuses every update of ${member}`);
  },
});

/** Whether a target keeps or clears what an update leaves out is not shown: only a value from before is wrong. */
export const updateLeavesOut: Check = checkOfEach<string>({
  ...onWrites,
  id: 'body/unset-in-update',
  title: 'a member that an update leaves out is kept or cleared, and gets no earlier value back',
  requirement: 'CNV-UNSET',
  appliesTo: isUpdatable,
  variants: (family) => [...new Set([nameMember(family), textMember(family)])].flatMap((name) => name ?? []),
  dependsOn: ['record/update', 'record/rename'],
  exercises: ['update'],
  async run(context, member) {
    const own = await context.fixture();
    const { [member]: first } = own.sent;
    const { [member]: changed } = context.payload();
    if (changed === undefined || changed === first)
      throw new NotTestable(`no two records of the run differ in ${member}`, `a target that takes any ${member}`);
    const put = (fields: JsonObject) => context.send('update', { id: own.id, fields });
    const whole = updateFields(own, { [member]: changed });
    prerequisite(await put(whole));
    const { [member]: _, ...rest } = whole;
    if (!isSuccess(await put(rest)))
      throw new NotTestable(`the target requires ${member} in an update`, 'a target that does without it');
    const { fits, record } = await readUntil(context, own, (held) => held[member] !== first);
    // What has no name any more is told from the records of others by its id alone.
    await put(whole);
    if (!fits)
      throw memberFailure('update', member, record?.[member], `${member} ${shown(changed)} as before, or none`);
    context.witness('updates');
  },
});
