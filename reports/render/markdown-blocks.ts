import { excerpt, tableLines } from '../../lib/text.ts';
import type { Block, Line, Section, Table } from '../model/document.ts';

const LONGEST = 2_000;

/** Text in a table cell or a line: one line, no markup, no HTML. */
export function plain(text: string, longest = LONGEST): string {
  return excerpt(text, longest)
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/[\\`*_{}[\]<>#|~!@]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A command as it is pasted: in a span of code nothing is escaped, so that its fence is longer than any in it. */
export function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length)));
  const edge = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${edge}${text.replace(/[\r\n]+/g, ' ')}${edge}${fence}`;
}

export function words(line: Line): string {
  return line
    .map((piece) => {
      if (typeof piece === 'string') return plain(piece);
      if (piece.code === true) return code(piece.text);
      const shown = piece.strong === true ? `**${plain(piece.text)}**` : plain(piece.text);
      return piece.href === undefined ? shown : `[${shown}](${piece.href})`;
    })
    .join('');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A table as lines: its head, the rule below it, and a line for each row. */
export const tableRows = ({ head, rows }: Pick<Table, 'head' | 'rows'>): string[] => [
  row(head.map((cell) => plain(cell))),
  row(head.map(() => '---')),
  ...rows.map((cells) => row(cells.map(words))),
];

function part(block: Block): string[] {
  switch (block.kind) {
    case 'text':
      return [words(block.line)];
    case 'list':
      return [block.lines.map((line) => `- ${words(line)}`).join('\n')];
    case 'facts':
      return [block.rows.map(([name, line]) => `- ${plain(name)}: ${words(line)}`).join('\n')];
    case 'table':
      return [...(block.caption === undefined ? [] : [plain(block.caption)]), tableRows(block).join('\n')];
    case 'command':
      return [`\`\`\`sh\n${block.text.replaceAll('```', '')}\n\`\`\``];
  }
}

/** A section as Markdown, under a heading of that level. */
export const sectionMarkdown = ({ title, blocks }: Section, level: '##' | '###'): string =>
  [`${level} ${plain(title.replace(/^./, (letter) => letter.toUpperCase()))}`, ...blocks.flatMap(part)].join('\n\n');

export const lineText = (line: Line): string =>
  line.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');

type Paint = (verdict: string) => string;

const FIGURE = /^(?:(?:≥ )?[-+]?\d[\d\u202f.]*(?:\/s)?|—|none|not served)$/;

/** Rows below their heads, figures to the right; where the last column is one of verdicts, it is painted after the widths. */
export function tableOfVerdicts(head: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string[] {
  const right = [...head.keys()].filter((at) => rows.every((row) => FIGURE.test(row[at] ?? '')));
  return tableLines(head, rows, right).map((line, at) => {
    const verdict = at === 0 || head.at(-1) !== 'verdict' ? '' : (rows[at - 1]?.at(-1) ?? '');
    return verdict === '' ? line : `${line.slice(0, line.length - verdict.length)}${paint(verdict)}`;
  });
}

function linesOf(block: Block, paint: Paint): readonly string[] {
  switch (block.kind) {
    case 'text':
      return [lineText(block.line)];
    case 'command':
      return [block.text];
    case 'list':
      return block.lines.map((line) => `- ${lineText(line)}`);
    case 'facts':
      return tableLines(
        ['', ''],
        block.rows.map(([name, line]) => [name, lineText(line)]),
      );
    case 'table':
      return [
        ...(block.caption === undefined ? [] : [block.caption]),
        ...tableOfVerdicts(
          block.head,
          block.rows.map((row) => row.map(lineText)),
          paint,
        ),
      ];
  }
}

/** A document as lines of a terminal, each section below its title. */
export const documentLines = (sections: readonly Section[], paint: Paint = (word) => word): readonly string[] =>
  sections.flatMap(({ title, blocks }) => [
    title,
    ...blocks.flatMap((block) => linesOf(block, paint)).map((line) => `  ${line}`),
  ]);
