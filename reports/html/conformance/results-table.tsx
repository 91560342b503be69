import { knownMark, knownWords } from '../../../lib/judge/conformance/baseline/known.ts';
import { present } from '../../../lib/present.ts';
import type { Report, ResultReport } from '../../../lib/records/report.ts';
import { Verdict } from '../../../lib/records/vocabulary.ts';
import { excerpt } from '../../../lib/text.ts';
import { Mark } from '../page/mark.tsx';
import { Section, Table } from '../page/parts.tsx';

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

const marksOf = ({ known, flaky }: ResultReport): readonly string[] =>
  present(flaky && 'flaky', known && knownMark(known));

/** Every result in one line; the script filters it, and without the script it is simply whole. */
export function ResultsTable({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { results, families } = report.conformance;
  return (
    <Section id="results" title={`All results (${results.length})`}>
      <details class="card" id="all-results">
        <summary>Every result in one line</summary>
        <Filter families={families.map(({ name }) => name)} />
        <Table
          rows={results}
          data={({ verdict, family }) => ({ 'data-v': verdict, 'data-f': family })}
          columns={[
            [
              'Verdict',
              (result) => [
                <Mark verdict={result.verdict} />,
                marksOf(result).length > 0 && <small> {marksOf(result).join(', ')}</small>,
              ],
            ],
            ['Family', ({ family }) => family],
            ['Check', ({ checkId, variant }) => [checkId, variant].join(' ').trim()],
            ['Requirement', ({ requirement }) => requirement],
            ['Seen or reason', seenWords],
          ]}
        />
      </details>
    </Section>
  );
}
