const WIDTH = 100;
/** Lines that stand as they are: headings, tables, HTML, quotes, rules and formulas. */
const FIXED = /^\s*(#|\||<|>|---|\$\$)/;
const ITEM = /^(\s*)([-*]|\d+\.)\s+/;

function fill(words: readonly string[], first: string, rest: string): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (!isEmpty && [...line].length + 1 + [...word].length > WIDTH) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return isEmpty ? lines : [...lines, line];
}

/** A word that would begin a list or a heading at the start of a line. */
const MARKER = /^(\d+\.|[-*+#>])$/;

/** Words of a text; code between backticks is one word, and so is a link. A word that could be a marker stays with the one before. */
function wordsOf(text: string): readonly string[] {
  const words = text.match(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\$[^$\s][^$]*\$|\S)+/g) ?? [];
  return words.reduce<string[]>((all, word) => {
    const before = MARKER.test(word) ? all.pop() : undefined;
    all.push(before === undefined ? word : `${before} ${word}`);
    return all;
  }, []);
}

/** Markdown with its paragraphs and list items filled to 100 columns; tables, code and headings stay as they are. */
export function wrapMarkdown(markdown: string): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  let isCode = false;
  const flush = () => {
    const text = paragraph.join('\n');
    paragraph = [];
    if (text === '') return;
    const item = ITEM.exec(text);
    const indent = item === null ? (/^\s*/.exec(text)?.[0] ?? '') : ' '.repeat(item[0].length);
    const first = item?.[0] ?? indent;
    out.push(...fill(wordsOf(text.slice(first.length)), first, indent));
  };
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) {
      flush();
      isCode = !isCode;
      out.push(line);
    } else if (isCode || line.trim() === '' || FIXED.test(line)) {
      flush();
      out.push(line);
    } else {
      if (ITEM.test(line)) flush();
      paragraph.push(line);
    }
  }
  flush();
  return out.join('\n');
}
