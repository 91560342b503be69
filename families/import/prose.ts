const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** Text of HTML in one line. */
export function plain(html: string): string {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(#?\w{2,6});?/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}

/** One row of a table of attributes. */
export interface Row {
  readonly name: string;
  /** Levels below the first: nested members stand behind dashes. */
  readonly depth: number;
  readonly type: string;
  readonly required: boolean;
  readonly text: string;
  readonly example: string;
}

/** What stands in the cells of a row; a cell may not be closed. */
const cellsOf = (row: string): readonly string[] =>
  row
    .split(/<t[dh](?=[\s>])/i)
    .slice(1)
    .map((cell) => cell.slice(cell.indexOf('>') + 1).split(/<\/t[dh]>/i)[0] ?? '');

/** Rows of the tables that have a column of attributes. */
export function attributeRows(html: string): readonly Row[] {
  return html
    .split(/<table[\s>]/i)
    .slice(1)
    .flatMap((part) => {
      const table = part.split(/<\/table>/i)[0] ?? '';
      const [head = [], ...rows] = table
        .split(/<tr[\s>]/i)
        .slice(1)
        .map(cellsOf);
      const titles = head.map((title) => plain(title).toLowerCase());
      if (!/^(?:attribute|field|parameter)/.test(titles[0] ?? '')) return [];
      const at = (cells: readonly string[], title: string) =>
        cells[titles.findIndex((one) => one.startsWith(title))] ?? '';
      return rows.flatMap((cells) => {
        const [, marks = '', name = ''] = /^([\s&nbsp;-]*?)-?\s*([A-Za-z_][\w.]*)$/.exec(rawName(cells[0] ?? '')) ?? [];
        if (name === '') return [];
        return [
          {
            ...{ name, depth: depthOf(rawName(cells[0] ?? ''), marks) },
            type: plain(at(cells, 'type')).toLowerCase(),
            required: /^(?:yes|true|mandatory)$/i.test(plain(at(cells, 'required'))),
            text: plain(at(cells, 'description')),
            example: plain(at(cells, 'example')),
          },
        ];
      });
    });
}

/** Name of a row with the signs that nest it. */
const rawName = (cell: string): string => cell.replace(/<[^<>]*>/g, '').trim();

/** `- name` is one level down, and each blank that is spelled out before it one more. */
function depthOf(raw: string, marks: string): number {
  if (!/^(?:\s|&nbsp;?|-)/.test(raw)) return 0;
  return 1 + (raw.match(/&nbsp/g)?.length ?? marks.split(/\s{2,}/).length - 1);
}

const NAMES = /\[\s*([A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_][\w.]*)*)\s*,?\s*\]/;

/** Names in the brackets behind a word such as `Filter:` or `Sorting:`. */
export function bracketed(html: string, word: RegExp): readonly string[] {
  const text = plain(html);
  const from = text.search(word);
  if (from === -1) return [];
  // What stands behind the other word is not of this one.
  const part = text
    .slice(from + 4)
    .split(/\b(?:Filter|Sort)(?:s|ing)?:/i)
    .slice(0, 2)
    .join(' ');
  return (
    NAMES.exec(part.slice(0, 2000))?.[1]
      ?.split(',')
      .map((name) => name.trim()) ?? []
  );
}

/** Values that a text says are allowed. */
export function listedValues(text: string): readonly string[] | undefined {
  const [, rest = ''] =
    /\b(?:allowed|possible|valid) values?(?: are| is)?\s*:?\s*(.*)$|\bone of(?: the following)?\s*:\s*(.*)$/i
      .exec(text)
      ?.filter((one) => one !== undefined) ?? [];
  const values: string[] = [];
  for (const piece of rest.split(',')) {
    const [, value = '', more = ''] = /^\s*-?\s*(?:or\s+|and\s+)?['"]?([A-Za-z][\w-]*)['"]?\s*(.*)$/.exec(piece) ?? [];
    if (value === '') break;
    if (more !== '' && !/^[.;]|^[A-Z][a-z]|^The\b/.test(more)) break;
    values.push(value);
    if (more !== '') break;
  }
  return values.length > 1 ? [...new Set(values)] : undefined;
}

/** Least and greatest value that a text gives, or characters for a text. */
export function limitsIn(text: string, isText: boolean): [number, number] | undefined {
  if (isText) {
    const most = /\b(?:max(?:imum)?(?: of| length)?|up to|at most)\s*:?\s*(\d{1,5})\s*char/i.exec(text)?.[1];
    return most === undefined ? undefined : [0, Number(most)];
  }
  const [, low, high] =
    /\b(?:range|between|from)\b[^\d-]{0,20}(-?\d{1,15})\s*(?:-|–|to|and)\s*(-?\d{1,15})/i.exec(text) ?? [];
  return low === undefined || Number(low) > Number(high) ? undefined : [Number(low), Number(high)];
}
