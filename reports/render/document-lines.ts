import { tableLines } from '../../lib/table-lines.ts';
import type { Block, Line, Section } from '../model/document.ts';

const text = (line: Line): string => line.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');

function linesOf(block: Block): readonly string[] {
  switch (block.kind) {
    case 'text':
      return [text(block.line)];
    case 'command':
      return [block.text];
    case 'list':
      return block.lines.map((line) => `- ${text(line)}`);
    case 'facts':
      return tableLines(
        ['', ''],
        block.rows.map(([name, line]) => [name, text(line)]),
      );
    case 'table':
      return [
        `${block.caption}`,
        ...tableLines(
          block.head,
          block.rows.map((row) => row.map(text)),
        ),
      ];
  }
}

/** A document as lines of a terminal. */
export const documentLines = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap(({ title, blocks }) => [`${title}:`, ...blocks.flatMap(linesOf).map((line) => `  ${line}`)]);
