import type { Form } from '../../model/history.ts';
import { PLAIN, type Step } from '../../steps/step.ts';
import { create, read, together, update } from '../make.ts';

/** Everything optional that a request may carry. */
const EVERYTHING = { ...PLAIN, mediaType: true, csrf: true, extra: true } as const;

const bothReads = (who: string): readonly Step[] => [read(who), read(who, 'xml')];

/** Two records with a text in some members; if it is for updates too, with a rename between them, and then the one is changed. All are read in both forms. */
export function textSteps(
  isUpdated: boolean,
  members: readonly string[],
  texts: readonly [string, string],
  form: Form,
): readonly Step[] {
  const [one, two] = texts.map((text) => Object.fromEntries(members.map((member) => [member, text])));
  return [
    { ...create('subject', one), form },
    ...bothReads('subject'),
    ...(isUpdated ? [{ ...update('subject', {}, { fresh: 'b' }), form } as Step, ...bothReads('subject')] : []),
    { ...create('second', one), form, carried: EVERYTHING },
    ...bothReads('second'),
    // The one that was written to before, because some mistakes come with a second write.
    ...(isUpdated ? [{ ...update('subject', two ?? {}), form } as Step, ...bothReads('subject')] : []),
    together(...bothReads('second')),
  ];
}
