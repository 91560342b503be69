/** Letters, digits and what no URL, pattern or collation reads a meaning into. */
export function isPlain(text: string): boolean {
  return /^[A-Za-z0-9:, -]*$/.test(text);
}

/** Text with the case of its letters turned; the same text where it has none. */
export function caseTurned(text: string): string {
  return [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
}
