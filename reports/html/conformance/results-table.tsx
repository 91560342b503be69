import { knownMark, knownWords } from '../../../lib/judge/conformance/baseline/known.ts';
import type { Report, ResultReport } from '../../../lib/records/report.ts';
import { Verdict } from '../../../lib/records/vocabulary.ts';
import { excerpt } from '../../../lib/text.ts';
import { Head } from '../page/head.tsx';
import { Mark } from '../page/mark.tsx';

function Filter({ families }: { families: readonly string[] }) {
  return (
    <div class="filter">
      <label>
        Words
        <input id="f-text" type="search" autocomplete="off" />
      </label>
      <label>
        Verdict
        <select id="f-verdict">
          <option value="">all</option>
          <option value="inconclusive blocked error">unclear</option>
          {Verdict.options.map((verdict) => (
            <option value={verdict}>{verdict}</option>
          ))}
        </select>
      </label>
      <label>
        Family
        <select id="f-family">
          <option value="">all</option>
          {families.map((family) => (
            <option value={family}>{family}</option>
          ))}
        </select>
      </label>
      <output id="f-count" aria-live="polite" />
    </div>
  );
}

/** What a check saw, or why it says what it says, after the words of the baseline. */
function seenWords({ witness, reason, needs, observed, observations, known }: ResultReport): string {
  const counts = Object.entries(witness ?? {}).map(([name, number]) => `${name} ${number}`);
  const seen = reason ?? observed ?? (observations === undefined ? counts.join(', ') : JSON.stringify(observations));
  const listed = known === undefined || known.outcome === 'unexpected' ? '' : `${excerpt(knownWords(known), 200)}; `;
  return `${listed}${excerpt(seen, 200)}${needs === undefined ? '' : `; it needs ${excerpt(needs, 200)}`}`;
}

function Row({ result }: { result: ResultReport }) {
  const { verdict, family, checkId, variant, requirement, known, flaky } = result;
  const marks = [...(flaky === true ? ['flaky'] : []), ...(known === undefined ? [] : [knownMark(known)])];
  return (
    <tr data-v={verdict} data-f={family}>
      <td>
        <Mark verdict={verdict} />
        {marks.length === 0 ? '' : <small> {marks.join(', ')}</small>}
      </td>
      <td>{family}</td>
      <td>
        {checkId}
        {variant === undefined ? '' : ` ${variant}`}
      </td>
      <td>{requirement}</td>
      <td>{seenWords(result)}</td>
    </tr>
  );
}

/** Every result in one line; the script filters it, and without the script it is simply whole. */
export function ResultsTable({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { results, families } = report.conformance;
  return (
    <section aria-labelledby="results">
      <h2 id="results">All results ({results.length})</h2>
      <details class="card" id="all-results">
        <summary>Every result in one line</summary>
        <Filter families={families.map(({ name }) => name)} />
        <div class="wide" tabindex={0}>
          <table>
            <Head columns={['Verdict', 'Family', 'Check', 'Requirement', 'Seen or reason']} />
            <tbody>
              {results.map((result) => (
                <Row result={result} />
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}
