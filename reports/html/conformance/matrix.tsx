import { groupBy } from '../../../lib/group-by.ts';
import { count } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import type { Verdict } from '../../../lib/records/vocabulary.ts';
import { excerpt } from '../../../lib/text.ts';
import { verdictWord } from '../../../lib/verdict-words.ts';
import { type MatrixCell, type MatrixRow, matrixOf } from '../../model/matrix.ts';
import { Legend, Mark } from '../page/mark.tsx';
import { Section, Wide } from '../page/parts.tsx';

/** One box for each word, so that a reader adds nothing up: the verdicts behind it are one link. */
function Tile({ verdicts, counts }: { verdicts: readonly Verdict[]; counts: Readonly<Record<Verdict, number>> }) {
  const [first] = verdicts;
  if (first === undefined) return null;
  const number = verdicts.reduce((sum, verdict) => sum + counts[verdict], 0);
  return (
    <li>
      <a href={`#results=${verdicts.join(' ')}`}>
        <b>{count(number)}</b>
        <Mark verdict={first} />
      </a>
    </li>
  );
}

function Tested({ words, part }: { words: string; part: { exercised: number; total: number; untestable: number } }) {
  return (
    <li>
      <a href="#coverage">
        <b>
          {part.exercised} / {part.total}
        </b>
        <small>
          {words} really tested{part.untestable === 0 ? '' : `, ${part.untestable} not testable`}
        </small>
      </a>
    </li>
  );
}

const UNCLEAR = ['inconclusive', 'blocked', 'error'] as const;
const ORDER: readonly Verdict[] = ['fail', ...UNCLEAR, 'warn', 'pass', 'info', 'not-testable', 'not-applicable'];
/** The verdicts behind each word. */
export const WORDS = [...groupBy(ORDER, verdictWord)];

/** The counts, each a link to its results; what is unclear stands beside what failed. */
export function Counts({ report }: { report: Report }) {
  const part = report.conformance;
  if (part === null) return null;
  const { counts, coverage } = part;
  return (
    <Section id="counts" title="Results at a glance">
      <ul class="strip">
        {WORDS.map(([, verdicts]) => (
          <Tile verdicts={verdicts} counts={counts} />
        ))}
        <Tested words="operations" part={coverage.operations} />
        <Tested words="filters" part={coverage.filterCells} />
        <Tested words="sorts" part={coverage.sortCells} />
      </ul>
    </Section>
  );
}

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
  const words = `${row.name}, ${cell.column}: ${verdictWord(cell.verdict)}, ${cell.worst} of ${cell.results} results`;
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

const OF_FAMILIES = ['not-tested', 'conformant', 'non-conformant'] as const;

export function MatrixTable({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { groups, rows } = matrixOf(report);
  return (
    <Section id="matrix" title="Families and their capabilities">
      <Legend
        verdicts={['pass', 'fail', 'warn', 'info', ...UNCLEAR, 'not-testable', 'not-applicable', ...OF_FAMILIES]}
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
