import type { Report } from '../../../lib/records/report.ts';
import { excerpt } from '../../../lib/text.ts';
import { type MatrixCell, type MatrixRow, matrixOf } from '../../model/matrix.ts';
import { Legend, Mark } from '../page/mark.tsx';
import { Section, Wide } from '../page/parts.tsx';

function Cell({ cell, row }: { cell: MatrixCell; row: MatrixRow }) {
  if (!cell.has) {
    return (
      <td class="none">
        <span aria-hidden="true">·</span>
        <span class="sr">
          the specification gives {row.name} no {cell.column}
        </span>
      </td>
    );
  }
  const words = `${row.name}, ${cell.column}: ${cell.verdict}, ${cell.worst} of ${cell.results} results`;
  const number = cell.verdict !== 'pass' && cell.worst > 1 ? <small>{cell.worst}</small> : '';
  return (
    <td title={`${words}${cell.reason === '' ? '' : `: ${excerpt(cell.reason, 160)}`}`}>
      <a href={`#results=@${row.name}`} aria-label={words}>
        <Mark verdict={cell.verdict} bare />
        {number}
      </a>
    </td>
  );
}

export function MatrixTable({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { groups, rows } = matrixOf(report);
  return (
    <Section id="matrix" title="Families and their capabilities">
      <Legend
        verdicts={[
          ...(['pass', 'fail', 'warn', 'info', 'inconclusive', 'blocked', 'error'] as const),
          ...(['not-testable', 'not-applicable', 'not-tested', 'conformant', 'non-conformant'] as const),
        ]}
      />
      <Wide label="Matrix of families and capabilities">
        <table class="matrix">
          <caption>
            A mark is the worst verdict of its results. A dot means that the specification does not list the capability
            for that family.
          </caption>
          <thead>
            <tr>
              <th scope="col" rowspan={2}>
                Family
              </th>
              {groups.map(({ title, columns }) => (
                <th scope="colgroup" colspan={columns.length}>
                  {title}
                </th>
              ))}
              <th scope="col" rowspan={2}>
                Over all
              </th>
            </tr>
            <tr>{groups.flatMap(({ columns }) => columns.map((column) => <th scope="col">{column}</th>))}</tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                <th scope="row">
                  {row.name}{' '}
                  <small>
                    {row.versions.join(', ')}
                    {row.readOnly ? ', read-only' : ''}
                  </small>
                </th>
                {row.cells.map((cell) => (
                  <Cell cell={cell} row={row} />
                ))}
                <td>
                  <Mark verdict={row.verdict} bare />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </Section>
  );
}
