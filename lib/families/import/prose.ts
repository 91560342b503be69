const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** Text of HTML in one line; points of a list stand behind dashes. */
export function plain(html: string): string {
  return html
    .replace(/<li(?:\s[^<>]*)?>/gi, ' - ')
    .replace(/`|\*\*/g, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(#?\w{2,6});?/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}

/** What stands in the cells of a row; a cell may not be closed. */
const cellsOf = (row: string): readonly string[] =>
  row
    .split(/<t[dh](?=[\s>])/i)
    .slice(1)
    .map((cell) => cell.slice(cell.indexOf('>') + 1).split(/<\/t[dh]>/i)[0] ?? '');

/** The tables of Markdown as those of HTML. */
const inHtml = (text: string): string =>
  text
    .replace(/^([ \t]*\|.*)\n[ \t]*\|[ \t|:-]*$/gm, '<table>$1')
    .replace(
      /^(<table>)?[ \t]*\|(.*)$/gm,
      (_, open = '', row: string) => `${open}<tr><td>${row.replaceAll('|', '<td>')}`,
    );

/** Rows of the tables of attributes in a description. */
export function attributeRows(text: string) {
  return inHtml(text)
    .split(/<table[\s>]/i)
    .slice(1)
    .flatMap((part) => {
      const table = part.split(/<\/table>/i)[0] ?? '';
      const [head = [], ...rows] = table
        .split(/<tr[\s>]/i)
        .slice(1)
        .map(cellsOf);
      const titles = head.map((title) => plain(title).toLowerCase());
      if (!/^(?:attribute|field|parameter|property|member)/.test(titles[0] ?? '')) return [];
      const at = (cells: readonly string[], title: RegExp) => cells[titles.findIndex((one) => title.test(one))] ?? '';
      return rows.flatMap((cells) => {
        const [, marks = '', name = ''] =
          /^([\s&nbsp;-]*?)-?\s*([A-Za-z_][\w.-]*)$/.exec(rawName(cells[0] ?? '')) ?? [];
        if (name === '') return [];
        return [
          {
            name,
            /** Levels below the first: nested members stand behind dashes. */
            depth: depthOf(rawName(cells[0] ?? ''), marks),
            type: plain(at(cells, /^type/)).toLowerCase(),
            required: /^(?:yes|true|mandatory|required)$/i.test(plain(at(cells, /^(?:required|mandatory)/))),
            text: plain(at(cells, /^(?:description|details|notes)/)),
            example: plain(at(cells, /^(?:example|sample)/)),
          },
        ];
      });
    });
}
export type Row = ReturnType<typeof attributeRows>[number];

/** Name of a row with the signs that nest it. */
const rawName = (cell: string): string =>
  cell
    .replace(/<[^<>]*>|`|\*\*/g, '')
    .replace(/\u00a0|&#160;/g, '&nbsp;')
    .trim();

/** `- name` is one level down, and each blank that is spelled out before it one more. */
function depthOf(raw: string, marks: string): number {
  if (!/^(?:\s|&nbsp;?|-)/.test(raw)) return 0;
  return 1 + (raw.match(/&nbsp/g)?.length ?? marks.split(/\s{2,}/).length - 1);
}

const NAME = '[A-Za-z_][\\w.-]*';
/** Names in brackets, of which the last may be open; more of one name each may follow. */
const NAMES = new RegExp(`\\[\\s*${NAME}(?:\\s*,\\s*${NAME})*\\s*,?\\s*(?:\\]|$)(?:[\\s,]*\\[\\s*${NAME}\\s*\\])*`);

/** Single words with commas between them, or as points of a list, after a few words: names without their brackets. */
function bareNames(text: string): readonly string[] {
  const [head = '', ...points] = text.split(/\s-\s/);
  if (head.length > 70 && points.length > 0) return [];
  const names: string[] = [];
  for (const piece of points.length > 0 ? points : text.split(/,|\s(?:or|and)\s/)) {
    const [, name, rest] = /^[\s[]*([A-Za-z_]\w*(?:[.-]\w+)*)[\s\]]*([A-Z.].*)?$/.exec(piece) ?? [];
    if (name === undefined) break;
    names.push(name);
    if (rest !== undefined) break;
  }
  return names.length > (points.length > 0 ? 0 : 1) ? names : [];
}

const WORDS = {
  filter: /\bFilter(?:s|ing)?:(?:[^.,:[]{0,40}\b(?:fields|on|by)\b:?)?|\bfilter(?:s|ing|ed)? (?:on|by)\b:?/i,
  sort: /\bSort(?:s|ing)?:(?:[^.,:[]{0,40}\b(?:fields|on|by)\b:?)?|\bsort(?:s|ing|ed)? (?:on|by)\b:?/i,
} as const;

/** What stands behind a word such as `Filter:`, up to the other one. */
function partBehind(text: string, word: keyof typeof WORDS): string {
  const found = WORDS[word].exec(text);
  const behind = found === null ? '' : text.slice(found.index + found[0].length);
  return behind.split(WORDS[word === 'sort' ? 'filter' : 'sort'])[0]?.slice(0, 2000) ?? '';
}

/** Names that stand in brackets or in a list behind a word such as `Filter:` or `Sorting:`; lines and cells are points of a list. */
export function namesBehind(html: string, word: keyof typeof WORDS): readonly string[] {
  const part = partBehind(plain(html), word);
  const [inBrackets] = NAMES.exec(part) ?? [];
  if (inBrackets !== undefined) return inBrackets.match(new RegExp(NAME, 'g')) ?? [];
  const bare = bareNames(part);
  return bare.length > 0 ? bare : bareNames(partBehind(plain(html.replace(/<(?:br|td)\b[^<>]*>/gi, '<li>')), word));
}

/** Words behind which a text lists values, the clearest first. */
const LISTED = [
  /\b(?:allowed|possible|valid) values?(?: are| is)?\s*:?\s*(.*)$/i,
  /\bone of(?: the following)?\s*:\s*(.*)$/i,
  /\bvalues? (?:should|must) be\s*:?\s*(.*)$/i,
];

export function listedValues(text: string): readonly string[] | undefined {
  const found = LISTED.map((words) => valuesIn(words.exec(text)?.[1] ?? ''));
  return found.find(({ length }) => length > 1);
}

function valuesIn(text: string): readonly string[] {
  const values: string[] = [];
  for (const piece of text.split(/,|(?:^|\s)-\s|\s(?:or|and)\s|\s*[/|]\s*/)) {
    if (piece.trim() === '') continue;
    // "A, B or the path of one": others are allowed.
    if (/^\s*(?:the|an?|any|other)\s/i.test(piece)) return [];
    const [, value = '', more = ''] = /^\s*-?\s*(?:or\s+|and\s+)?['"]?([A-Za-z][\w-]*)['"]?\s*(.*)$/.exec(piece) ?? [];
    if (value === '') break;
    if (more !== '' && !/^[.;]|^[A-Z][a-z]|^The\b/.test(more)) break;
    values.push(value);
    if (more !== '') break;
  }
  return [...new Set(values)];
}

/** Least and greatest value that a text gives, or characters for a text. */
export function limitsIn(text: string, isText: boolean): [number, number] | undefined {
  if (isText) {
    const [, least, greatest] = /\b(\d{1,5})\s*(?:-|–|to)\s*(\d{1,5})\s*char/i.exec(text) ?? [];
    if (least !== undefined && Number(least) <= Number(greatest)) return [Number(least), Number(greatest)];
    const most = /\b(?:max(?:imum)?(?: of| length)?|up to|at most)(?: is)?\s*:?\s*(\d{1,5})\s*(?:ASCII )?char/i.exec(
      text,
    )?.[1];
    return most === undefined ? undefined : [0, Number(most)];
  }
  const [, low, high] =
    /\b(?:range|between|from)\b\D{0,20}?(-?\d{1,15})\s*(?:-|–|to|and)\s*(-?\d{1,15})/i.exec(text) ?? [];
  return low === undefined || Number(low) > Number(high) ? undefined : [Number(low), Number(high)];
}
