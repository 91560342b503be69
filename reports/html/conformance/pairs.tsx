import { count } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import { missingWords, pairLines, pairShare } from '../../model/pairs.ts';
import { Head } from '../page/head.tsx';

const figures = (words: string) => ({ figures: words });

/** Pairs of conditions that each family was tried under, of those possible here. */
export function Pairs({ report }: { report: Report }) {
  const families = report.conformance?.pairs ?? [];
  if (families.length === 0) return null;
  return (
    <section aria-labelledby="pairs">
      <h2 id="pairs">Pairs of conditions tried</h2>
      <p class="soft">
        Most mistakes need two conditions at most, such as a renamed record and a sorted list. A pair counts as tried if
        both came about in one sequence of requests, and what the target showed after it was judged. In all,{' '}
        {pairLines(report)}.
      </p>
      <div class="wide" tabindex={0}>
        <table class="pairs">
          <Head
            columns={[
              'Family',
              ...['Kinds of conditions', 'Conditions', 'Pairs possible here', 'Tried', 'Share'].map(figures),
              'Not tried, because',
            ]}
          />
          <tbody>
            {families.map((family) => (
              <tr>
                <th scope="row">{family.family}</th>
                <td class="num">{family.factors}</td>
                <td class="num">{family.levels}</td>
                <td class="num">{count(family.possible)}</td>
                <td class="num">{count(family.exercised)}</td>
                <td class="num">{pairShare(family)}</td>
                <td>{missingWords(family.missing, 6)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
