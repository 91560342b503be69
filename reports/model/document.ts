import { defined } from '../../lib/defined.ts';
import { verdictWord } from '../../lib/text.ts';

/** A piece of text; with `cell`, a figure that links to the cell that it was measured in. */
export interface Piece {
  readonly text: string;
  /** Place in index.html, in the folder above the document. */
  readonly href?: string;
  readonly strong?: true;
  /** A command, to be pasted. */
  readonly code?: true;
}

export type Line = readonly (string | Piece)[];

/** Part of a section: every rendering shows all of them. */
export type Block =
  | { readonly kind: 'text'; readonly line: Line; readonly answer?: true }
  | { readonly kind: 'list'; readonly lines: readonly Line[] }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, line: Line])[] }
  | {
      readonly kind: 'table';
      /** Absent if the title of the section says it. */
      readonly caption?: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly Line[])[];
    }
  | { readonly kind: 'command'; readonly text: string };

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A question with its answer: a text of its own is a paragraph. */
export const section = (id: string, title: string, ...blocks: readonly (Block | string)[]): Section => ({
  ...{ id, title },
  blocks: blocks.map((block) => (typeof block === 'string' ? { kind: 'text', line: [block] } : block)),
});

export type Table = Extract<Block, { kind: 'table' }>;

type Column<Row> = readonly [head: string, of: (row: Row) => string | Piece];

/** A table of rows, each column with its words and what it shows of a row. */
export const table = <Row>(
  caption: string | undefined,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Table => ({
  ...{ kind: 'table', ...defined({ caption }) },
  head: columns.map(([head]) => head),
  rows: rows.map((row) => columns.map(([, of]) => [of(row)])),
});

/** Rows with a name, figures and a verdict, as the record has it; nothing if there is no row. */
export const figures = <Row extends { readonly verdict: string }>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): readonly Block[] =>
  rows.length === 0 ? [] : [table(undefined, rows, [...columns, ['verdict', ({ verdict }) => verdictWord(verdict)]])];
