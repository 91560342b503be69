import { defined } from '../../lib/defined.ts';
import type { Statement } from '../../lib/records/answer.ts';
import type { CellReport } from '../../lib/records/load/load.ts';
import { cellAnchor } from '../html/load/cell-details.tsx';
import type { Line, Piece } from '../model/document.ts';

export const cellOf = (steps: readonly CellReport[], id: string | undefined): CellReport | undefined =>
  steps.find((step) => step.id === id);

/** A figure that links to the valid cell that made it; plain where there is none. */
export function figure(text: string, cell: CellReport | undefined, strong?: true): Piece {
  const link = cell === undefined || cell.verdict === 'invalid' ? {} : { href: `../index.html#${cellAnchor(cell)}` };
  return { text, ...link, ...defined({ strong }) };
}

/** A statement of the judge, its figures with links to the last of the cells that they came from. */
export const lineOf = ({ words }: Statement, steps: readonly CellReport[]): Line =>
  words.map((word) => {
    if (typeof word === 'string') return word;
    const last = word.from.at(-1)?.id;
    return figure(word.text, cellOf(steps, last), true);
  });
