import { type Family, hasOp } from '../../../lib/contract/types.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import { checkOfEach } from '../../kit/check.ts';
import { CheckFailure, LostRecord, Refused } from '../../kit/fault.ts';
import { isCreatable, isServerFilled, nameMember, sentFields } from '../../kit/fields.ts';
import { readUntil, shown, updateFields } from '../../kit/record/record-reads.ts';

/** Lengths just beyond what storage often ends at. */
const LENGTHS = [256, 1025, 4001, 4097, 65_535] as const;

const LONGEST_NAME = 1025;

/** Texts of a family that are stored as they are and that nothing gives a form. */
const freeTexts = (family: Family): readonly string[] =>
  sentFields(family, 'create')
    .filter(([member, { type, form }]) => type === 'string' && form === undefined && !/Id$/.test(member))
    .map(([member]) => member)
    .filter((member) => !isServerFilled(family, member));

/** A text of the length that is the same nowhere, so that a part that is lost shows. */
function longText(length: number, start: string): string {
  let text = start;
  for (let part = 0; text.length < length; part += 1) text += ` ${part.toString(36)}`;
  // No blank at the end: whether one counts is another question.
  return `${text.slice(0, length - 1)}x`;
}

/** A long text is stored whole. */
export const longTexts = checkOfEach<string>({
  id: 'record/long-text',
  title: 'an accepted text is stored whole, whatever its length',
  requirement: 'PAY-C',
  level: 'stated',
  appliesTo: (family) => isCreatable(family) && hasOp(family, 'read') && freeTexts(family).length > 0,
  variants: (family) => freeTexts(family).map((member) => ({ name: member, data: member })),
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context, member) {
    const { family } = context;
    const { values } = context.run;
    const isName = member === nameMember(family);
    const taken: number[] = [];
    let refused = 0;
    const base = isName ? `${context.payload()[member]}` : 'long text';
    const expectWhole = (text: string, record: Readonly<Record<string, unknown>> | undefined) => {
      const held = record?.[member];
      const observed = typeof held === 'string' ? `${held.length}: ${shown(held.slice(-20))}` : shown(held);
      const expected = `all ${text.length} characters of ${member}: ${shown(text.slice(-20))}`;
      const about = {
        kind: held === undefined ? 'missing' : 'value',
        operation: 'create',
        subject: 'text long',
      } as const;
      return new CheckFailure({ expected, observed, about });
    };
    const viaUpdate = hasOp(family, 'update') && !isName;
    const own = viaUpdate ? await context.fixture() : undefined;
    for (const [index, length] of LENGTHS.entries()) {
      // A name is looked for by a filter where no answer gives the id: a longer one would not fit into an address.
      if (isName && length > LONGEST_NAME) break;
      // No limit is stated: a target may refuse a text for its length, and then no longer one is tried.
      if (refused > 1) break;
      const whole = longText(length, isName ? `${base}${index.toString(36)}` : base);
      const text = values.adapt(member, whole);
      // The longest text that the target takes is tried once.
      if (text.length < whole.length) refused += 1;
      if (own !== undefined && length !== 256 && length !== 4097) {
        const answer = await context.send('update', { id: own.id, fields: updateFields(own, { [member]: text }) });
        if (!isSuccess(answer)) {
          refused += 1;
          continue;
        }
        const { fits, record } = await readUntil(context, own, (held) => held[member] === text);
        if (!fits) throw expectWhole(text, record);
      } else {
        const made = await context.fixture({ [member]: text }).catch((fault: unknown) => {
          if (fault instanceof LostRecord)
            throw new CheckFailure({
              expected: `a record with ${length} characters`,
              observed: fault.message,
              about: { kind: 'no-effect', operation: 'create', subject: 'text long' },
            });
          if (fault instanceof Refused) return undefined;
          throw fault;
        });
        if (made === undefined) {
          refused += 1;
          continue;
        }
        const { fits, record } = await readUntil(context, made, (held) => held[member] === text);
        if (!fits) throw expectWhole(text, record);
      }
      taken.push(text.length);
    }
    context.observe('longest text taken', Math.max(0, ...taken));
    if (taken.length === 0) return { verdict: 'not-applicable', reason: `${member} takes no long text` };
    context.witness('lengths', taken.length);
    return undefined;
  },
});
