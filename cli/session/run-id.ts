/** Id of a run: when it began, and four characters that tell two begun in the same second apart. */
export function runId(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const tail = Math.floor(Math.random() * 36 ** 4)
    .toString(36)
    .padStart(4, '0');
  return `${stamp}-${tail}`;
}
