import type { Block, Section as DocumentSection, Line } from '../../model/document.ts';
import { type Column, Lines, Section, Table } from './parts.tsx';

export function Words({ line }: { line: Line }) {
  return (
    <>
      {line.map((piece) => {
        if (typeof piece === 'string') return piece;
        const text = piece.strong === true ? <strong>{piece.text}</strong> : piece.text;
        return piece.href === undefined ? text : <a href={piece.href}>{text}</a>;
      })}
    </>
  );
}

const words = (line: Line = []) => <Words line={line} />;

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

export const Sections = ({ sections }: { sections: readonly DocumentSection[] }) => (
  <>
    {sections.map(({ id, title, blocks }) => (
      <Section id={id} title={title}>
        {blocks.map((block) => (
          <Part block={block} />
        ))}
      </Section>
    ))}
  </>
);
