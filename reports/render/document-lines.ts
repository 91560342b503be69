import { tableLines } from '../../lib/table-lines.ts';
import type { Block, Line, Section } from '../model/document.ts';

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
