import type { Child } from 'hono/jsx';

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
