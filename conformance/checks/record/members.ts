import { type Family, hasOp } from '../../../lib/contract/types.ts';
import { type CheckContext, checkOfEach } from '../../kit/check.ts';
import { Blocked, NotTestable } from '../../kit/fault.ts';
import { isCreatable, isServerFilled, nameMember, sentFields, textMember } from '../../kit/fields.ts';
import { create, judgeSteps, read, type StepPlan, update } from '../../plans/obvious/steps.ts';
import { isReadable, isUpdatable, onRecords } from './plans.ts';

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

/** A text that the target refuses is a fact about the target: the specification shows no grammar of texts. */
export const refusedText = (member: string, why = 'as its first writes showed'): NotTestable =>
  new NotTestable(
    `the target refuses such a text as ${member}: ${why}`,
    `a deployment that takes such a text as ${member}`,
  );

/** Short texts that tell mistakes of encoding, trimming and case apart. */
export const TEXTS: Readonly<Record<string, string>> = {
  case: 'MiXed Case',
  spaces: 'two  spaces inside',
  umlaut: 'Zürich straße',
  cjk: '網路 設定',
  quotes: `say "it's"`,
  markup: 'a&b <c> &amp; d',
  percent: '100 % of a+b/c.d_e*',
};

/** A create with a text in a member, or at the end of the name. */
const createWith = ({ family }: CheckContext, member: string, text: string) =>
  member === nameMember(family) ? create('subject', {}, { fresh: text }) : create('subject', { [member]: text });

export const textsSurvive = checkOfEach<string>({
  ...onRecords,
  id: 'record/text',
  title: 'a text comes back as it was sent',
  requirement: 'PAY-C',
  appliesTo: (family) => isCreatable(family) && textMember(family) !== undefined,
  variants: () => Object.entries(TEXTS).map(([name, data]) => ({ name, data })),
  async run(context, text, { name }) {
    const member = textMember(context.family) ?? '';
    if (!context.run.values.takes(member, text)) throw refusedText(member);
    const why = await judgeSteps(context, {
      steps: [createWith(context, member, text), read('subject')],
      isAbout: ({ subject }) => subject === 'record' || subject === `member ${member}`,
      subject: `text ${name}`,
    });
    if (why !== undefined) throw refusedText(member, why);
    return undefined;
  },
});

/** Lengths just beyond what storage often ends at. */
const LENGTHS = [256, 1025, 4001, 4097, 65_535] as const;
/** A name is looked for by a filter where no answer gives the id: a longer one would not fit into an address. */
const LONGEST_NAME = 1025;

/** Texts of a family that are stored as they are and that nothing gives a form. */
const freeTexts = (family: Family): readonly string[] =>
  sentFields(family, 'create')
    .filter(([member, { type, form }]) => type === 'string' && form === undefined && !/Id$/.test(member))
    .map(([member]) => member)
    .filter((member) => !isServerFilled(family, member));

/** A text of the length that is the same nowhere, so that a part that is lost shows. */
function longText(length: number): string {
  let text = 'long text';
  for (let part = 0; text.length < length; part += 1) text += ` ${part.toString(36)}`;
  // No blank at the end: whether one counts is another question.
  return `${text.slice(0, length - 1)}x`;
}

export const longTexts = checkOfEach<string>({
  ...onRecords,
  id: 'record/long-text',
  title: 'an accepted text is stored whole, whatever its length',
  requirement: 'PAY-C',
  appliesTo: (family, table) => isReadable(family, table) && freeTexts(family).length > 0,
  variants: (family) => freeTexts(family).map((member) => ({ name: member, data: member })),
  async run(context, member) {
    const isName = member === nameMember(context.family);
    const isUpdated = hasOp(context.family, 'update') && !isName;
    let taken = 0;
    for (const length of LENGTHS.filter((each) => !isName || each <= LONGEST_NAME)) {
      const text = longText(isName ? length - 40 : length);
      const steps = [createWith(context, member, text), read('subject')];
      const more = isUpdated ? [update('subject', { [member]: `${text.slice(0, -1)}y` }), read('subject')] : [];
      // No limit is stated: a target may refuse a text for its length, and then no longer one is tried.
      const why = await judgeSteps(context, {
        steps: [...steps, ...more],
        isAbout: ({ subject }) => subject === 'record' || subject === `member ${member}`,
        subject: 'text long',
      });
      if (why !== undefined) break;
      taken = length;
    }
    context.observe('longest text sent', taken);
    return taken === 0 ? { verdict: 'not-applicable', reason: `${member} takes no long text` } : undefined;
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
