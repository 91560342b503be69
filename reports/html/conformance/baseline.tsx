import { entryName, isReasonMissing } from '../../../lib/judge/conformance/baseline/known.ts';
import type { Report } from '../../../lib/records/report.ts';
import { Head } from '../page/head.tsx';

const MEANINGS = {
  expected: 'fails as expected',
  stale: 'passes now; remove it',
  expired: 'still fails after its last day',
  unused: 'not decided by this run',
} as const;

/** What became of the failures that the run was told to expect. */
export function BaselineTable({ report }: { report: Report }) {
  const baseline = report.conformance?.baseline;
  if (baseline === undefined) return null;
  return (
    <section aria-labelledby="baseline">
      <h2 id="baseline">Expected failures ({baseline.entries.length})</h2>
      <p class="soft">
        From {baseline.file}. New failures, not expected by it: {baseline.unexpected.length}. Results that expected
        failures keep from being proven: {baseline.consequences.length}.
      </p>
      <div class="wide" tabindex={0}>
        <table>
          <Head columns={['Outcome', 'Expected', 'Reason', 'Owner', 'Link', 'Expires']} />
          <tbody>
            {baseline.entries.map((entry) => (
              <tr>
                <td>
                  <b>{entry.outcome}</b>: {MEANINGS[entry.outcome]}
                </td>
                <td>{entryName(entry)}</td>
                <td>{isReasonMissing(entry) ? <b>reason missing</b> : entry.reason}</td>
                <td>{entry.owner ?? '—'}</td>
                <td>{entry.link ?? '—'}</td>
                <td>{entry.expires}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
