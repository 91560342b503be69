import { notTestable } from '../../../lib/judge/conformance/not-testable.ts';
import type { Report } from '../../../lib/records/report.ts';
import { some } from '../../../lib/text.ts';
import { Head } from '../page/head.tsx';

/** Results that this target cannot show, by what would make them testable. */
export function NotTestable({ report }: { report: Report }) {
  const groups = notTestable(report);
  if (groups.length === 0) return null;
  const total = groups.reduce((sum, { results }) => sum + results.length, 0);
  return (
    <section aria-labelledby="not-testable">
      <h2 id="not-testable">Not testable on this target ({total})</h2>
      <p class="soft">Nothing went wrong here, and none of it fails the run: the target or the mode cannot show it.</p>
      <div class="wide" tabindex={0}>
        <table>
          <Head columns={['It needs', 'Results', 'Families', 'Checks', 'Why']} />
          <tbody>
            {groups.map(({ needs, results, families, checks, reasons }) => (
              <tr>
                <th scope="row">{needs}</th>
                <td class="num">{results.length}</td>
                <td>{some(families, 12)}</td>
                <td>{some(checks, 8)}</td>
                <td>{some(reasons, 4)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
