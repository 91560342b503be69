import type { Family } from '../../../lib/contract/types.ts';
import type { Form } from '../../model/history.ts';
import { PLAIN, type Step } from '../../steps/step.ts';
import { create, look, read, together, update } from '../make.ts';
import { listedByName } from './steps.ts';

/** Everything optional that a request may carry. */
const EVERYTHING = { ...PLAIN, mediaType: true, csrf: true, extra: true } as const;

const bothReads = (who: string, carried = PLAIN): readonly Step[] => [
  read(who, 'json', carried),
  read(who, 'xml', carried),
];

/** Two records with a text in some members; if it is for updates too, with a rename between them, and then the one is changed. All are read in both forms, at last with everything optional; the renamed one is listed. */
export function textSteps(
  family: Family,
  isUpdated: boolean,
  members: readonly string[],
  texts: readonly [string, string],
  form: Form,
): readonly Step[] {
  const [one, two] = texts.map((text) => Object.fromEntries(members.map((member) => [member, text])));
  const listed = listedByName(family).map((each) => look(each));
  return [
    { ...create('subject', one), form },
    ...bothReads('subject'),
    ...(isUpdated
      ? [{ ...update('subject', {}, { fresh: 'b' }), form } as Step, ...bothReads('subject'), ...listed]
      : []),
    { ...create('second', one), form, carried: EVERYTHING },
    ...bothReads('second'),
    // The one that was written to before, because some mistakes come with a second write.
    ...(isUpdated ? [{ ...update('subject', two ?? {}), form } as Step, ...bothReads('subject')] : []),
    together(...bothReads('second', EVERYTHING)),
  ];
}
