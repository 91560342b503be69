import { isSuccess } from '../../../lib/wire/answer.ts';
import { type Check, checkOfEach } from '../../kit/check.ts';
import { CheckFailure, LostRecord, NotTestable, Refused } from '../../kit/fault.ts';
import { isCreatable, textMember } from '../../kit/fields.ts';
import { memberFailure } from '../../kit/record/member-failure.ts';
import { readUntil, shown } from '../../kit/record/record-reads.ts';

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

/** A text that the target refuses is a fact about the target: the specification shows no grammar of texts. */
export function refusedText(member: string, answer?: string): NotTestable {
  return new NotTestable(
    `the target refuses such a text as ${member}${answer === undefined ? ', as its first writes showed' : `: ${answer}`}`,
    `a deployment that takes such a text as ${member}`,
  );
}

/** Texts come back as they were sent. */
export const textsSurvive = checkOfEach<{ readonly sample: string; readonly isOuter: boolean }>({
  id: 'record/text',
  title: 'a text comes back as it was sent',
  requirement: 'PAY-C',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && textMember(family) !== undefined,
  variants: () => [
    ...Object.entries(TEXTS).map(([name, sample]) => ({ name, data: { sample, isOuter: false } })),
    // Nothing says that outer spaces count, and nothing says that they do not.
    { name: 'outer-spaces', level: 'implied' as const, data: { sample: ' outer ', isOuter: true } },
  ],
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context, { sample, isOuter }, { name }) {
    const member = textMember(context.family) ?? '';
    const unique = member === 'description' ? sample : `${context.payload()[member]}${sample}`;
    const text = isOuter ? ` ${unique.trim()} ` : unique;
    const expected = `${member} ${shown(text)}`;
    const subject = `text ${name}` as const;
    // No grammar of texts is shown: a target may refuse one, and what it takes it stores.
    if (!context.run.values.takes(member, text)) throw refusedText(member);
    const own = await context.fixture({ [member]: text }).catch((fault: unknown) => {
      if (fault instanceof Refused) throw refusedText(member, fault.message);
      if (!(fault instanceof LostRecord)) throw fault;
      throw new CheckFailure({
        expected,
        observed: fault.message,
        about: { kind: 'no-effect', operation: 'create', subject },
      });
    });
    const { fits, record } = await readUntil(context, own, (held) => held[member] === text);
    if (!fits) throw memberFailure({ operation: 'create', member, seen: record?.[member], expected, subject });
    context.witness('compared');
    return undefined;
  },
});

/** Members that were not supplied are not sent, and the target does without them. */
export const unsetLeftOut: Check = {
  id: 'body/unset-left-out',
  title: 'a create that leaves a field out is accepted',
  requirement: 'CNV-UNSET',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && textMember(family) === 'description',
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context) {
    const own = await context.fixture({ description: undefined });
    const read = await context.send('read', { id: own.id });
    const sent = JSON.stringify(own.sent);
    const about = { kind: 'no-effect', operation: 'create', subject: 'member description' } as const;
    if ('description' in own.sent)
      throw new CheckFailure({ expected: 'no description in the body', observed: sent, about });
    if (!isSuccess(read))
      throw new CheckFailure({
        expected: 'the record without a description',
        observed: `status ${read.status}`,
        about,
      });
    context.witness('taken');
    return undefined;
  },
};
