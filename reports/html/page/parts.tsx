import type { Child } from 'hono/jsx';
import type { CellVerdict, Conformance, Verdict } from '../../../lib/records/vocabulary.ts';
import { verdictWord } from '../../../lib/text.ts';

/** Words over a column, what it shows of a row, and whether that is the name of the row or a figure, which stands on the right. */
export type Column<Row> = readonly [head: string, of: (row: Row) => Child, kind?: 'row' | 'figures' | undefined];

interface TableParts<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly caption?: Child;
  readonly class?: string;
  /** On a phone, the cells of a row stand below each other, each with the words over its column. */
  readonly isStacked?: true;
  readonly tone?: (row: Row) => string;
  readonly data?: (row: Row) => Readonly<Record<string, string>>;
}

export function BareTable<Row>({ columns, rows, caption, class: name, isStacked, tone, data }: TableParts<Row>) {
  return (
    <table class={isStacked ? 'stacked' : name}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(([head, , kind]) => (
            <th scope="col" class={kind === 'figures' ? 'num' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr class={tone?.(row) || undefined} {...data?.(row)}>
            {columns.map(([head, of, kind]) =>
              kind === 'row' ? (
                <th scope="row">{of(row)}</th>
              ) : (
                <td class={kind === 'figures' ? 'num' : undefined} data-of={isStacked && head}>
                  {of(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What scrolls by itself where it is wider than the page; with a label where no title says what it is. */
function Wide({ label, children }: { readonly label?: string | undefined; readonly children: Child }) {
  return label === undefined ? (
    <div class="wide" tabindex={0}>
      {children}
    </div>
  ) : (
    <section class="wide plain" tabindex={0} aria-label={label}>
      {children}
    </section>
  );
}

export function Table<Row>({ label, ...parts }: TableParts<Row> & { readonly label?: string }) {
  return (
    <Wide label={label}>
      <BareTable {...parts} />
    </Wide>
  );
}

interface SectionParts {
  readonly id: string;
  readonly title: Child;
  readonly lead?: Child;
  readonly children: Child;
}

export function Section({ id, title, lead, children }: SectionParts) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lead && <p class="soft">{lead}</p>}
      {children}
    </section>
  );
}

export function Lines({ lines, class: name }: { readonly lines: readonly Child[]; readonly class?: string }) {
  if (lines.length === 0) return null;
  return (
    <ul class={name}>
      {lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
  );
}

interface TopParts {
  readonly tone?: string | undefined;
  readonly brand?: Child;
  readonly children: Child;
}

export function Top({ tone = '', brand, children }: TopParts) {
  return (
    <header class={`top ${tone}`}>
      <div class="in">
        {brand && <p class="brand">{brand}</p>}
        {children}
      </div>
    </header>
  );
}

export type AnyVerdict = Verdict | CellVerdict | Conformance | 'not-tested';

interface Shape {
  readonly letter: string;
  /** Path in a box of 20 × 20. */
  readonly path: string;
  /** An outline alone. */
  readonly hollow?: true;
}

const CIRCLE = 'M10 1a9 9 0 1 0 0 18a9 9 0 1 0 0-18z';
const SQUARE = 'M2 2h16v16h-16z';
const TRIANGLE = 'M10 1l9.5 17.500h-19z';
const DIAMOND = 'M10 .5l9.500 9.500l-9.500 9.500l-9.500-9.500z';
const BAR = 'M.5 3.500h19v13h-19z';
const OCTAGON = 'M6 1h8l5 5v8l-5 5h-8l-5-5v-8z';

/** Each verdict has the letter of the word for it, and a shape, so that color is never alone. */
const SHAPES: Readonly<Record<AnyVerdict, Shape>> = {
  pass: { letter: 'P', path: CIRCLE },
  fail: { letter: 'F', path: SQUARE },
  warn: { letter: 'W', path: TRIANGLE },
  info: { letter: 'I', path: CIRCLE, hollow: true },
  'not-testable': { letter: 'T', path: SQUARE, hollow: true },
  'not-applicable': { letter: '–', path: SQUARE, hollow: true },
  blocked: { letter: 'B', path: BAR },
  inconclusive: { letter: '?', path: DIAMOND },
  error: { letter: 'E', path: OCTAGON },
  met: { letter: 'P', path: CIRCLE },
  violated: { letter: 'F', path: SQUARE },
  invalid: { letter: '?', path: DIAMOND },
  conformant: { letter: 'P', path: CIRCLE },
  'non-conformant': { letter: 'F', path: SQUARE },
  'not-tested': { letter: '·', path: DIAMOND, hollow: true },
};

/** The shapes once; every mark refers to them. */
export function Sprite() {
  return (
    <svg width="0" height="0" style="position:absolute" aria-hidden="true">
      {Object.entries(SHAPES).map(([name, { letter, path, hollow }]) => (
        <symbol id={`m-${name}`} viewBox="0 0 20 20">
          <path
            d={path}
            fill={hollow ? 'none' : 'currentColor'}
            stroke="currentColor"
            stroke-width={hollow ? '1.6' : '0'}
            stroke-dasharray={name === 'not-applicable' ? '3 2' : 'none'}
          />
          <text
            x="10"
            y={path === TRIANGLE ? '16.800' : '13.800'}
            style={path === TRIANGLE ? 'font-size:8px' : ''}
            text-anchor="middle"
            fill={hollow ? 'currentColor' : 'var(--card)'}
          >
            {letter}
          </text>
        </symbol>
      ))}
    </svg>
  );
}

export const Mark = ({ verdict, word = verdictWord(verdict) }: { verdict: AnyVerdict; word?: string }) => (
  <span class={`v v-${verdict}`}>
    <svg class="k" aria-hidden="true">
      <use href={`#m-${verdict}`} />
    </svg>
    <span>{word}</span>
  </span>
);
