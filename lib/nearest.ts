/** Edits that lead from one text to the other: a letter added, left out, replaced, or swapped with its neighbor. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const edit = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(swap ? Math.min(edit, (before[j - 2] ?? 0) + 1) : edit);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** Longest text that is compared letter by letter. */
const LONGEST = 100;

/** Names that a misspelled one may stand for, the nearest first; letters count alike in upper and lower case. */
function nearest(text: string, names: readonly string[], most = 3): readonly string[] {
  const wanted = text.slice(0, LONGEST).toLowerCase();
  const ranked = names.flatMap((name) => {
    const other = name.toLowerCase();
    if (wanted.length > 2 && other.includes(wanted)) return [{ name, edits: 0.5 }];
    if (Math.abs(other.length - wanted.length) > 3) return [];
    const edits = distance(wanted, other);
    return edits <= Math.max(1, Math.floor(Math.min(3, other.length / 2.5))) ? [{ name, edits }] : [];
  });
  return ranked
    .sort((a, b) => a.edits - b.edits)
    .slice(0, most)
    .map(({ name }) => name);
}

/** `Did you mean …?`, or undefined where no name is near. */
export function didYouMean(text: string, names: readonly string[]): string | undefined {
  const near = nearest(text, names);
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`;
}
