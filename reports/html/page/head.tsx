/** Words over a column; those of figures stand on the right. */
export type Column = string | { readonly figures: string };

/** Head of a table: a row of columns. */
export function Head({ columns }: { columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) =>
          typeof column === 'string' ? (
            <th scope="col">{column}</th>
          ) : (
            <th scope="col" class="num">
              {column.figures}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
