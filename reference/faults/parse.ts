import { UsageError } from '../../lib/errors.ts';
import type { Deviation } from '../deviation.ts';
import { SPELLINGS } from './faults.ts';

const SCOPE = 'only=anc';

/** A list that is split at its commas splits the spelling of a bucket too: its size belongs to what stands before it. */
function whole(texts: readonly string[]): readonly string[] {
  const isSize = (text: string, before: string | undefined) =>
    /^\d+$/.test(text) && before?.startsWith('bucket=') === true;
  return texts.flatMap((text, at) => {
    const [before, after] = [texts[at - 1], texts[at + 1]];
    if (isSize(text, before)) return [];
    return after !== undefined && isSize(after, text) ? [`${text},${after}`] : [text];
  });
}

/** Faults by their spellings; `only=anc` narrows all of them to apply and clear. Throws `UsageError` for a wrong spelling. */
export function parseFaults(texts: readonly string[]): readonly Deviation[] {
  const scope = texts.includes(SCOPE) ? 'anc' : 'all';
  return whole(texts)
    .filter((text) => text !== SCOPE)
    .map((text) => {
      for (const { pattern, make } of SPELLINGS) {
        const match = pattern.exec(text);
        if (match !== null) return make(match, scope);
      }
      throw new UsageError('unknown-fault', `there is no fault ${text}`, {
        hint: `one of ${[...SPELLINGS.map(({ form }) => form), SCOPE].join(', ')}`,
      });
    });
}
