import { closest, distance } from 'fastest-levenshtein';

/** Share of a word's letters that may differ before a suggestion is a guess. */
const MOST_DIFFERENT = 0.4;

/** The known name that a misspelled one was probably meant to be; undefined where none is near. */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const found = closest(name, known);
  return distance(name, found) <= Math.ceil(name.length * MOST_DIFFERENT) ? found : undefined;
}

/** `. Did you mean list/next?`, to follow a message about an unknown name; empty where no known name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const found = nearest(name, known);
  return found === undefined ? '' : `. Did you mean ${found}?`;
}

/** The same as a hint of its own, `Did you mean list/next?`, letters in upper and lower case alike; undefined where none is near. */
export function suggestion(name: string, known: readonly string[]): string | undefined {
  const byLowerCase = new Map(known.map((one) => [one.toLowerCase(), one]));
  const wanted = name.toLowerCase();
  const found = nearest(wanted, [...byLowerCase.keys()]) ?? [...byLowerCase.keys()].find((one) => one.includes(wanted));
  return found === undefined ? undefined : `Did you mean ${byLowerCase.get(found) ?? found}?`;
}
