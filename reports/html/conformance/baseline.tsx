import type { Report } from '../../../lib/records/report.ts';

const MEANINGS = {
  expected: 'fails as expected',
  stale: 'passes now: take it out',
  expired: 'fails, and its time is over',
  unused: 'no result of this run decided it',
} as const;

/** What became of the failures that the run was told to expect. */
export function BaselineTable({ report }: { report: Report }) {
  const baseline = report.conformance?.baseline;
  if (baseline === undefined) return null;
  return (
    <section aria-labelledby="baseline">
      <h2 id="baseline">Expected failures ({baseline.entries.length})</h2>
      <p class="soft">
        From {baseline.file}. {baseline.unexpected.length} failures of this run are not expected by it.
      </p>
      <div class="wide">
        <table>
          <thead>
            <tr>
              {['Outcome', 'Check', 'Family', 'Reason', 'Owner', 'Link', 'Expires'].map((words) => (
                <th scope="col">{words}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {baseline.entries.map(({ outcome, check, variant, family, reason, owner, link, expires }) => (
              <tr>
                <td>
                  <b>{outcome}</b>: {MEANINGS[outcome]}
                </td>
                <td>
                  {check}
                  {variant === undefined ? '' : ` ${variant}`}
                </td>
                <td>{family}</td>
                <td>{reason}</td>
                <td>{owner}</td>
                <td>{link}</td>
                <td>{expires}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
