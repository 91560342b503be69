import type { Figure, Statement } from '../../../lib/records/answer.ts';
import type { Report } from '../../../lib/records/report.ts';
import { cellAnchor } from '../load/cell-details.tsx';

/** Place of the cell that a figure was measured in; undefined where several made it, or none. */
function placeOf({ from }: Figure, { load, capacity }: Report): string | undefined {
  const [source] = from;
  if (source?.kind !== 'cell' || from.length > 1) return undefined;
  const cell = [...(load?.cells ?? []), ...(capacity?.steps ?? [])].find(({ id }) => id === source.id);
  return cell === undefined ? undefined : `#${cellAnchor(cell)}`;
}

/** A statement as it was made; a figure links to the cell that it was measured in. */
export function Said({ statement, report }: { statement: Pick<Statement, 'words'>; report: Report }) {
  return (
    <>
      {statement.words.map((word) => {
        if (typeof word === 'string') return word;
        const place = placeOf(word, report);
        return place === undefined ? word.text : <a href={place}>{word.text}</a>;
      })}
    </>
  );
}
