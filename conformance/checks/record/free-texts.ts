import { isDeepStrictEqual } from 'node:util';
import { type Family, type FamilyTable, hasOp } from '../../../lib/contract/types.ts';
import { isObject } from '../../../lib/wire/answer.ts';
import { type CheckContext, checkOfEach, notApplicable } from '../../kit/check.ts';
import { NotTestable } from '../../kit/fault.ts';
import {
  isCreatable,
  isPointer,
  isServerFilled,
  nameMember,
  referenceOf,
  sentFields,
  textMember,
} from '../../kit/fields.ts';
import type { Fields, Form } from '../../model/history.ts';
import { create, read, update } from '../../plans/make.ts';
import { agreements, isWhole, judgeSteps, type StepPlan, textSteps } from '../../plans/obvious/steps.ts';
import { withText } from '../../plans/pairs/row-values.ts';
import { isReadable, onRecords } from '../common.ts';

const FIRST_WRITES = 'as its first writes showed';

/** A text that the target refuses is a fact about the target: the specification shows no grammar of texts. What else a write lacked, its answer says. */
export const refusedText = (member: string, why = FIRST_WRITES): NotTestable =>
  new NotTestable(
    why === FIRST_WRITES
      ? `the target refuses such a text as ${member}: ${why}`
      : `a write with such a text as ${member} is not taken: ${why}`,
    `a deployment that takes such a text as ${member}`,
  );

/** Short texts that tell mistakes of encoding, trimming and case apart, or look like something else; each with another like it. */
export const TEXTS: Readonly<Record<string, readonly [string, string]>> = {
  case: ['MiXed Case', 'OTher Case'],
  spaces: ['two  spaces inside', 'two  other spaces'],
  breaks: ['a\ttab and\na line', 'other\ttab and\na line'],
  umlaut: ['Zürich straße', 'Köln straße'],
  cjk: ['網路 設定', '設定 網路'],
  // More bytes than characters: what counts the ones for the others cuts it.
  bytes: [`${'網'.repeat(120)} one`, `${'網'.repeat(120)} two`],
  plane: ['one 😀 two', 'two 😀 one'],
  quotes: [`say "it's"`, `it's "said"`],
  markup: ['a&b <c> &amp; d', 'd&c <b> &lt; a'],
  percent: ['100 % of a+b/c.d_e*%41', '50 % of b+a/c.d_e*%42'],
  number: ['0017', '0018'],
  truth: ['True', 'false'],
  // What YAML takes for a truth value.
  answer: ['No', 'on'],
};

const { breaks: _, ...inXml } = TEXTS;
/** Those that XML has to keep: how it treats white space, a schema may say. */
export const XML_TEXTS: typeof TEXTS = inXml;

/** Texts that are tried as one first, by sets of characters: a target that guesses the set would guess right beside others. */
const JOINED: readonly (readonly string[])[] = [
  ['case', 'spaces', 'breaks', 'quotes', 'markup', 'percent'],
  ['cjk', 'bytes', 'plane'],
];

/** Texts of a family that are stored as they are and that nothing gives a form. */
const freeTexts = (family: Family): readonly string[] =>
  sentFields(family, 'create')
    .filter(([member, field]) => field.type === 'string' && !field.form && !field.secret && !isPointer(member, field))
    .map(([member]) => member)
    .filter((member) => !isServerFilled(family, member));

/** The same without its name, and without names of other records. */
export const textsBeside = (table: FamilyTable, family: Family): readonly string[] =>
  freeTexts(family).filter(
    (member) => member !== nameMember(family) && referenceOf(table, family, member) === undefined,
  );

/** A create with a text in a member, or at the end of the name. */
const createWith = ({ family }: CheckContext, member: string, text: string) =>
  member === nameMember(family) ? create('subject', {}, { fresh: text }) : create('subject', { [member]: text });

interface Tried {
  readonly name: string;
  readonly texts: readonly [string, string];
  readonly form: Form;
}

/** Members that hold a text, or an object with the text in each free one of it. */
const holding = ({ values }: CheckContext['run'], members: readonly string[], text: string): Fields => {
  const samples = values.samples(0);
  const value = (member: string) => (isObject(samples[member]) ? withText(samples[member], text) : text);
  return Object.fromEntries(members.map((member) => [member, value(member)]));
};

/** What sends the texts in the members, or inside of them; without `isUpdated`, creates alone. */
const planOf = (
  { family, run }: CheckContext,
  { name, texts: [one, two], form }: Tried,
  members: readonly string[],
  isUpdated: boolean,
): StepPlan => ({
  steps: textSteps(family, isUpdated, [holding(run, members, one), holding(run, members, two)], form),
  // What an update does to the record that holds the same text, no other check has to show.
  isAbout: ({ subject }) =>
    ['record', 'other records', ...members.map((member) => `member ${member}`)].includes(subject),
  subject: `text ${name}`,
});

const takersOf = ({ family, table, run }: CheckContext, texts: readonly string[], form: Form): readonly string[] => [
  ...textsBeside(table, family).filter((member) => texts.every((text) => run.values.takes(member, text))),
  // How objects are written in XML is not shown.
  ...Object.entries(form === 'xml' ? {} : run.values.samples(0)).flatMap(([member, sample]) =>
    isObject(sample) && !isDeepStrictEqual(withText(sample, 'text'), sample) ? [member] : [],
  ),
];

/** Whether the text came back among those that it is tried with. If not, it has to be tried by itself. */
export async function cameBackJoined(context: CheckContext, name: string, form: Form): Promise<boolean> {
  const all = form === 'xml' ? XML_TEXTS : TEXTS;
  const group = JOINED.find((each) => each.includes(name))?.filter((each) => each in all);
  if (group === undefined) return false;
  const compared = await context.run.shared(`texts ${group[0]} ${form}`, async () => {
    const textAt = (at: 0 | 1) => group.map((each) => TEXTS[each]?.[at]).join(' ');
    const texts = [textAt(0), textAt(1)] as const;
    const members = takersOf(context, texts, form);
    const isUpdated = hasOp(context.family, 'update');
    return members.length === 0 ? 0 : agreements(context, planOf(context, { name, texts, form }, members, isUpdated));
  });
  if (compared > 0) context.witness('compared', compared);
  return compared > 0;
}

/** Sends texts in every member that takes them, and if that is refused in the text of the family alone. Gives why nothing was taken. */
export async function judgeTexts(context: CheckContext, tried: Tried): Promise<string | undefined> {
  const own = textMember(context.family) ?? '';
  const all = takersOf(context, tried.texts, tried.form);
  let why: string | undefined = FIRST_WRITES;
  for (const members of [all, all.length > 1 && all.includes(own) ? [own] : []]) {
    if (members.length === 0) continue;
    // What no update is taken for, creates may still show.
    const plans = hasOp(context.family, 'update') ? [true, false] : [false];
    why = await judgeSteps(
      context,
      plans.map((isUpdated) => planOf(context, tried, members, isUpdated)),
    );
    if (why === undefined) return undefined;
  }
  return why;
}

export const textsSurvive = checkOfEach<readonly [string, string]>({
  ...onRecords,
  id: 'record/text',
  // Texts of the name are given by updates too.
  dependsOn: ['record/create', 'record/rename'],
  title: 'a text comes back as it was sent',
  requirement: 'PAY-C',
  appliesTo: (family) => isCreatable(family) && textMember(family) !== undefined,
  variants: () => TEXTS,
  async run(context, texts, { name }) {
    const member = textMember(context.family) ?? '';
    if (textsBeside(context.table, context.family).length > 0) {
      if (await cameBackJoined(context, name, 'json')) return;
      const why = await judgeTexts(context, { name, texts, form: 'json' });
      if (why !== undefined) throw refusedText(member, why);
      return;
    }
    if (!context.run.values.takes(member, texts[0])) throw refusedText(member);
    const why = await judgeSteps(context, {
      steps: [createWith(context, member, texts[0]), read('subject')],
      isAbout: ({ subject }) => subject === 'record' || subject === `member ${member}`,
      subject: `text ${name}`,
    });
    if (why !== undefined) throw refusedText(member, why);
  },
});

/** Lengths just beyond what storage often ends at. */
const LENGTHS = [256, 1025, 4001, 4097, 65_535] as const;
/** A name is looked for by a filter where no answer gives the id: a longer one would not fit into an address. */
const LONGEST_NAME = 1025;

/** A text of the length that is the same nowhere, so that a part that is lost shows. */
function longText(length: number): string {
  let text = 'long text';
  for (let part = 0; text.length < length; part += 1) text += ` ${part.toString(36)}`;
  // No blank at the end: whether one counts is another question.
  return `${text.slice(0, length - 1)}x`;
}

/** Longer than 4 KiB, of characters of three bytes: one lies across each block of a power of two. */
const WIDE = `${'網'.repeat(1400)}x`;

export const longTexts = checkOfEach<string>({
  ...onRecords,
  id: 'record/long-text',
  title: 'an accepted text is stored whole, whatever its length',
  requirement: 'PAY-C',
  appliesTo: (family, table) => isReadable(family, table) && freeTexts(family).length > 0,
  variants: freeTexts,
  async run(context, member) {
    const isName = member === nameMember(context.family);
    const isUpdated = hasOp(context.family, 'update') && !isName;
    const planOf = (text: string): StepPlan => {
      const steps = [createWith(context, member, text), read('subject')];
      const more = isUpdated ? [update('subject', { [member]: `${text.slice(0, -1)}y` }), read('subject')] : [];
      return {
        steps: [...steps, ...more],
        isAbout: ({ subject }) => subject === 'record' || subject === `member ${member}`,
        subject: 'text long',
      };
    };
    const isTaken = async (text: string) => (await judgeSteps(context, planOf(text))) === undefined;
    const textOf = (length: number) => longText(isName ? length - 40 : length);
    const lengths = LENGTHS.filter((each) => !isName || each <= LONGEST_NAME);
    const longest = Math.max(...lengths);
    // What comes back whole at the greatest length needs no other.
    let taken = (await isWhole(context, planOf(textOf(longest)))) ? longest : 0;
    // No limit is stated: a target may refuse a text for its length, and then no longer one is tried.
    for (const length of taken > 0 ? [] : lengths) {
      if (!(await isTaken(textOf(length)))) break;
      taken = length;
    }
    if (!isName && taken > WIDE.length) await isTaken(WIDE);
    context.observe('longest text sent', taken);
    return taken === 0 ? notApplicable(`${member} takes no long text`) : undefined;
  },
});
