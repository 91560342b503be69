import type { Report } from '../../../lib/records/report.ts';
import { Head } from '../page/head.tsx';
import { Mark } from '../page/mark.tsx';

/** Every requirement of the catalogue with its verdict; what was not tested says why. */
export function Requirements({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const judged = new Map(report.conformance.requirements.map((requirement) => [requirement.id, requirement]));
  const { requirements } = report.catalogue;
  return (
    <section aria-labelledby="requirements">
      <h2 id="requirements">Requirements ({requirements.length})</h2>
      <details class="card" open={requirements.length <= 40}>
        <summary>The specification as requirements: level, text, verdict</summary>
        <div class="wide" tabindex={0}>
          <table>
            <Head columns={['Verdict', 'Id', 'Level', 'Section', 'Text', { figures: 'Results' }]} />
            <tbody>
              {requirements.map(({ id, level, section, text, untestable }) => (
                <tr>
                  <td>
                    <Mark verdict={judged.get(id)?.verdict ?? 'not-tested'} />
                  </td>
                  <th scope="row">{id}</th>
                  <td>{level}</td>
                  <td>{section}</td>
                  <td>
                    {text}
                    {untestable === undefined ? '' : <span class="soft"> · not decided by a check: {untestable}</span>}
                  </td>
                  <td class="num">{judged.get(id)?.results ?? 0}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}
