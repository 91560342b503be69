import { groupBy } from '../../../lib/group-by.ts';
import { count, counted, percent } from '../../../lib/numbers.ts';
import type { Verdict } from '../../../lib/records/vocabulary.ts';
import { some } from '../../../lib/text.ts';
import { verdictWord } from '../../../lib/verdict-words.ts';
import type { LiveChecks } from '../../model/live.ts';
import { Head } from '../page/head.tsx';
import { Mark } from '../page/mark.tsx';
import { Bar } from './load.tsx';

/** The checks: how many, how they ended, and what each family is at. */
export function Checks({ checks }: { checks: LiveChecks }) {
  const { done, planned, share, counts, inWork } = checks;
  const verdicts = Object.entries(counts) as [Verdict, number][];
  return (
    <>
      <h2>Conformance</h2>
      <Bar
        done={share}
        of={1}
        words={`${count(done)} of ${counted(planned, 'result')}, ${percent(share)} of the work`}
      />
      <ul class="strip">
        {[...groupBy(verdicts, ([verdict]) => verdictWord(verdict)).values()].map((group) => (
          <li>
            <span class="n">
              <b>{count(group.reduce((sum, [, number]) => sum + number, 0))}</b>
              <Mark verdict={group[0]?.[0] ?? 'not-tested'} />
            </span>
          </li>
        ))}
      </ul>
      {inWork.length === 0 ? (
        ''
      ) : (
        <>
          <h3>In work</h3>
          <ul class="why">
            {inWork.map(({ family, check, sequences }) => (
              <li>
                {family}: <code>{check}</code>
                {sequences === undefined ? '' : `, ${sequences}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Causes that stay on the page; the report has all. */
const MOST_CAUSES = 20;

/** The causes of the failures so far, the largest first. */
export function CausesSoFar({ causes }: { causes: LiveChecks['causes'] }) {
  if (causes.length === 0) return null;
  return (
    <table class="causes">
      <caption>
        Causes so far: {count(causes.length)}. A baseline and second tries are taken into account in the report
      </caption>
      <Head columns={['Cause', 'Families', { figures: 'Results' }]} />
      <tbody>
        {causes.slice(0, MOST_CAUSES).map(({ id, title, families, results }) => (
          <tr class="bad">
            <th scope="row">
              {title}
              <br />
              <small class="soft">
                <code>{id}</code>
              </small>
            </th>
            <td>{some(families, 6)}</td>
            <td class="num">{results.length}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
