import { readFileSync } from 'node:fs';

/** Text of a file of the system; undefined where it cannot be read. */
export type ReadText = (path: string) => string | undefined;

export const readText: ReadText = (path) => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
};

/** The number that a pattern finds in a file of the system; undefined where there is none. */
export function numberIn(pattern: RegExp, text: string | undefined): number | undefined {
  const found = text === undefined ? undefined : pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
