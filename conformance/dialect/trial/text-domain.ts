import { ANY_TEXT, asStyleSheet, KINDS, type TextDomain, textOfKinds } from '../../kit/values/domain.ts';

export type Take = (text: string) => Promise<boolean>;

/** Characters of the longest text that the probe sends: checks send hardly any that are longer. */
const LONG = 1100;
/** Lengths that are tried if a long text is refused, up to which storage often reaches. */
const LENGTHS = [1024, 512, 256, 255, 200, 128, 127, 100, 64, 63, 50, 40, 32, 31, 24, 20, 16] as const;
/** Questions for one member at most: what was not asked for then counts as refused. */
const MOST_ASKED = 40;

/** A long text of letters and digits alone that is the same nowhere. */
function letters(length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part += 1) text += `q${part.toString(36)}`;
  return text.slice(0, length);
}

export const WHOLE = `${textOfKinds(KINDS)}${letters(LONG)}`;

async function refusedKinds(take: Take, kinds: readonly string[]): Promise<readonly string[]> {
  let asked = 0;
  const among = async (some: readonly string[]): Promise<readonly string[]> => {
    if (some.length === 0 || asked >= MOST_ASKED) return some;
    asked += 1;
    if (await take(textOfKinds(some))) return [];
    if (some.length === 1) return some;
    const half = Math.ceil(some.length / 2);
    return [...(await among(some.slice(0, half))), ...(await among(some.slice(half)))];
  };
  return among(kinds);
}

/** `length` counts what the caller writes before the text. */
async function longestTaken(take: Take, before: number): Promise<number | null> {
  if (await take(letters(LONG))) return null;
  for (const length of LENGTHS) if (length > before && (await take(letters(length - before)))) return length;
  return before + 8;
}

/**
 * Learns which texts a member takes, by one question if it takes any. `before` is the number of characters that the caller
 * writes before each text. Undefined if it does not take a plain word either, in whatever form.
 */
export async function learnDomain(take: Take, before = 0): Promise<TextDomain | undefined> {
  if (await take(WHOLE)) return ANY_TEXT;
  if (!(await take('plain'))) {
    if (!(await take(asStyleSheet('plain')))) return undefined;
    return { ...ANY_TEXT, form: 'base64' };
  }
  const refused = await refusedKinds(take, KINDS);
  return { form: 'text', refused, longest: await longestTaken(take, before) };
}
