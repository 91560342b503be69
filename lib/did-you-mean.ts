import { distance } from 'fastest-levenshtein';

/** Share of a word's letters that may differ before a suggestion is a guess. */
const MOST_DIFFERENT = 0.4;

/** How far a known name is from a typed one; of several words also by the last one alone. Undefined if it would be a guess. */
function farness(typed: string, known: string): number | undefined {
  const [wanted = '', name = ''] = [typed, known].map((word) => word.toLowerCase().replace(/^-+/, ''));
  // A beginning of the word is no misspelling of another.
  if (name.startsWith(wanted)) return 0;
  const last = name.split(' ').at(-1) ?? name;
  const letters = Math.min(distance(wanted, name), distance(wanted, last));
  if (letters <= Math.max(1, Math.floor(wanted.length * MOST_DIFFERENT))) return letters;
  return name.includes(wanted) ? wanted.length : undefined;
}

/** The known names that a misspelled one was probably meant to be, the likeliest first; upper and lower case count alike. */
export function nearest(typed: string, known: readonly string[], most: number): readonly string[] {
  return known
    .flatMap((name) => {
      const far = farness(typed, name);
      return far === undefined ? [] : [{ name, far }];
    })
    .sort((one, other) => one.far - other.far)
    .slice(0, most)
    .map(({ name }) => name);
}

/** `. Did you mean list/next?`, to follow a message about an unknown name; empty if no known name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const found = suggestion(name, known);
  return found === undefined ? '' : `. ${found}`;
}

/** The same as a hint of its own, `Did you mean list/next?`; undefined if none is near. */
export function suggestion(name: string, known: readonly string[]): string | undefined {
  const [found] = nearest(name, known, 1);
  return found === undefined ? undefined : `Did you mean ${found}?`;
}
