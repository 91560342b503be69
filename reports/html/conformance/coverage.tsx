import { groupBy } from '../../../lib/group-by.ts';
import type { Report } from '../../../lib/records/report.ts';
import { Head } from '../page/head.tsx';

/** Cells that were not exercised with a witness, grouped by the reason. */
export function Coverage({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { open } = report.conformance.coverage;
  const groups = [
    ...groupBy(open, ({ state, kind, family, reason }) => JSON.stringify([state, kind, family, reason])).values(),
  ];
  return (
    <section aria-labelledby="coverage">
      <h2 id="coverage">Coverage</h2>
      {open.length === 0 ? (
        <p>Every operation, filter and sort of the tables was really tested.</p>
      ) : (
        <div class="wide" tabindex={0}>
          <table>
            <caption>Not really tested; those that cannot be tested do not count against the required 95 %</caption>
            <Head columns={['Family', 'Kind', 'Cells', 'State', 'Reason']} />
            <tbody>
              {groups.map((cells) => (
                <tr>
                  <th scope="row">{cells[0]?.family}</th>
                  <td>{cells[0]?.kind}</td>
                  <td>{cells.map(({ cell }) => cell).join(', ')}</td>
                  <td>{cells[0]?.state}</td>
                  <td>{cells[0]?.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
