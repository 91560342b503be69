import type { Figure, Statement } from '../../../lib/records/answer.ts';
import type { Report } from '../../../lib/records/report.ts';
import type { Piece } from '../../model/document.ts';
import { cellAnchor } from '../load/cell-details.tsx';
import { Words } from './document.tsx';

/** A figure with a link to the cell that it was measured in; plain where several made it, or none. */
function pieceOf({ text, from }: Figure, { load, capacity }: Report): Piece {
  const [source] = from;
  if (source?.kind !== 'cell' || from.length > 1) return { text };
  const cell = [...(load?.cells ?? []), ...(capacity?.steps ?? [])].find(({ id }) => id === source.id);
  return cell === undefined ? { text } : { text, href: `#${cellAnchor(cell)}` };
}

/** A statement as it was made; a figure links to the cell that it was measured in. */
export const Said = ({ statement, report }: { statement: Pick<Statement, 'words'>; report: Report }) => (
  <Words line={statement.words.map((word) => (typeof word === 'string' ? word : pieceOf(word, report)))} />
);
