/** Lines that a flow collection takes at most: one that does not end by then is none. */
const LONGEST_FLOW = 500;

/** Brackets that are open after a line, quoted ones left out. */
function depthAfter(line: string, depth: number): number {
  let open = depth;
  for (const sign of line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '')) {
    if (sign === '[' || sign === '{') open += 1;
    if (sign === ']' || sign === '}') open -= 1;
  }
  return open;
}

/** Number of the line on which the collection that begins in this one ends; undefined if it ends here or is none. */
function endOfFlow(lines: readonly string[], from: number): number | undefined {
  if (!/^\s*(?:- )?[\w$-]+:\s+[[{]/.test(lines[from] ?? '')) return undefined;
  let depth = depthAfter(lines[from] ?? '', 0);
  if (depth <= 0) return undefined;
  for (let at = from + 1; at < lines.length && at <= from + LONGEST_FLOW; at += 1) {
    depth = depthAfter(lines[at] ?? '', depth);
    if (depth <= 0) return at;
  }
  return undefined;
}

/** Values of several lines, indented below the key that holds them; `endOf` tells the last line of one that begins here. */
function indented(text: string, endOf: (lines: readonly string[], from: number) => number | undefined): string {
  const lines = text.split('\n');
  for (let from = 0; from < lines.length; from += 1) {
    const end = endOf(lines, from);
    if (end === undefined) continue;
    const margin = ' '.repeat((/^\s*/.exec(lines[from] ?? '')?.[0].length ?? 0) + 2);
    for (let at = from + 1; at <= end; at += 1) lines[at] = margin + (lines[at] ?? '').trimStart();
    from = end;
  }
  return lines.join('\n');
}

const LONGEST_TEXT = 2000;

/** True if the text in these quotes is open after a line that begins outside or inside of it. */
function isOpenAfter(line: string, quote: string, isOpen: boolean): boolean {
  const bare = line.replace(quote === '"' ? /\\./g : /''/g, '');
  return (bare.split(quote).length % 2 === 0) !== isOpen;
}

/** Number of the line on which a text in quotes ends that begins in this one; undefined if none is open after it. */
function endOfQuotes(lines: readonly string[], from: number): number | undefined {
  const [, quote] = /^\s*(?:- )?[\w$-]+:\s+(["'])/.exec(lines[from] ?? '') ?? [];
  if (quote === undefined || !isOpenAfter(lines[from] ?? '', quote, false)) return undefined;
  const end = lines.findIndex((line, at) => at > from && !isOpenAfter(line, quote, true));
  return end === -1 || end > from + LONGEST_TEXT ? undefined : end;
}

const withoutTabs = (text: string): string => text.replace(/^[ \t]+/gm, (blank) => blank.replaceAll('\t', '  '));

/** One-line texts that hold a colon and a blank, in quotes. */
const quoted = (text: string): string =>
  text.replace(
    /^(\s*(?:- )?[\w$-]+: +)([^\s'"[{|>&*!%@#`].*: .*)$/gm,
    (_, key: string, value: string) => key + JSON.stringify(value),
  );

/** The text as it is, and then in the forms in which strict readers may take it: each keeps what it says. */
export function* readings(text: string): Generator<{ readonly text: string; readonly remark?: string }> {
  yield { text };
  const strict = indented(indented(withoutTabs(text), endOfQuotes), endOfFlow);
  yield { text: strict, remark: 'tabs and lines in brackets or quotes are indented as YAML does not allow' };
  yield { text: quoted(strict), remark: 'texts with a colon stand without quotes, which YAML does not allow' };
}
