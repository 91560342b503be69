/** Rows as aligned columns under their titles; numbers, where `right` says so, to the right. */
export function tableLines(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const all = [titles, ...rows];
  const widths = titles.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]) =>
    widths
      .map((width, at) => (right.includes(at) ? (row[at] ?? '').padStart(width) : (row[at] ?? '').padEnd(width)))
      .join('  ')
      .trimEnd();
  return all.map(line);
}
