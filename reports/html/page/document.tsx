import type { Figure, Statement } from '../../../lib/records/answer.ts';
import type { Report } from '../../../lib/records/report.ts';
import type { Block, Section as DocumentSection, Line, Piece } from '../../model/document.ts';
import { cellAnchor } from '../load/cell-details.tsx';
import { type Column, Lines, Section, Table } from './parts.tsx';

const words = (line: Line = []) => (
  <>
    {line.map((piece) => {
      if (typeof piece === 'string') return piece;
      const text = piece.strong === true ? <strong>{piece.text}</strong> : piece.text;
      return piece.href === undefined ? text : <a href={piece.href}>{text}</a>;
    })}
  </>
);

function Part({ block }: { block: Block }) {
  switch (block.kind) {
    case 'text':
      return <p class={block.answer === true ? 'said' : undefined}>{words(block.line)}</p>;
    case 'command':
      return <pre>{block.text}</pre>;
    case 'list':
      return <Lines lines={block.lines.map(words)} />;
    case 'table': {
      const columns = block.head.map(
        (head, at): Column<readonly Line[]> => [head, (row) => words(row[at]), at === 0 ? 'row' : undefined],
      );
      return <Table caption={block.caption} rows={block.rows} columns={columns} />;
    }
    case 'facts':
      return <dl class="pairs">{block.rows.map(([name, line]) => [<dt>{name}</dt>, <dd>{words(line)}</dd>])}</dl>;
  }
}

export const Blocks = ({ blocks }: { blocks: readonly Block[] }) => (
  <>
    {blocks.map((block) => (
      <Part block={block} />
    ))}
  </>
);

export const Sections = ({ sections }: { sections: readonly DocumentSection[] }) => (
  <>
    {sections.map(({ id, title, blocks }) => (
      <Section id={id} title={title}>
        <Blocks blocks={blocks} />
      </Section>
    ))}
  </>
);

/** A figure with a link to the cell that it was measured in; plain where several made it, or none. */
function pieceOf({ text, from }: Figure, { load, capacity }: Report): Piece {
  const [source] = from;
  if (source?.kind !== 'cell' || from.length > 1) return { text };
  const cell = [...(load?.cells ?? []), ...(capacity?.steps ?? [])].find(({ id }) => id === source.id);
  return cell === undefined ? { text } : { text, href: `#${cellAnchor(cell)}` };
}

export const Said = ({ statement, report }: { statement: Pick<Statement, 'words'>; report: Report }) =>
  words(statement.words.map((word) => (typeof word === 'string' ? word : pieceOf(word, report))));
