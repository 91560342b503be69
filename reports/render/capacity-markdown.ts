import type { Report } from '../../lib/records/report.ts';
import { inert } from '../../lib/text.ts';
import { capacityDocument } from '../capacity/document.ts';
import type { Block, Line, Section } from '../model/document.ts';
import { plain } from './markdown.ts';

const LONGEST = 2_000;
const text = (words: string): string => plain(words, LONGEST);

function words(line: Line): string {
  return line
    .map((piece) => {
      if (typeof piece === 'string') return text(piece);
      const shown = piece.strong === true ? `**${text(piece.text)}**` : text(piece.text);
      return piece.href === undefined ? shown : `[${shown}](${piece.href})`;
    })
    .join('');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function part(block: Block): string[] {
  switch (block.kind) {
    case 'text':
      return [words(block.line)];
    case 'list':
      return [block.lines.map((line) => `- ${words(line)}`).join('\n')];
    case 'facts':
      return [block.rows.map(([name, line]) => `- ${text(name)}: ${words(line)}`).join('\n')];
    case 'table': {
      const head = [row(block.head.map(text)), row(block.head.map(() => '---'))];
      return [text(block.caption), [...head, ...block.rows.map((cells) => row(cells.map(words)))].join('\n')];
    }
    case 'command':
      return [`\`\`\`sh\n${block.text.replaceAll('```', '')}\n\`\`\``];
  }
}

const chapter = ({ title, blocks }: Section): string => [`## ${text(title)}`, ...blocks.flatMap(part)].join('\n\n');

/** `capacity.md`: the same statement for a ticket or a wiki. Null where no capacity was looked for. */
export function renderCapacityMarkdown(report: Report): string | null {
  const document = capacityDocument(inert(report));
  if (document === null) return null;
  const { title, lead, question, sections } = document;
  return `${[`# ${title}`, text(lead), text(question), ...sections.map(chapter)].join('\n\n')}\n`;
}
