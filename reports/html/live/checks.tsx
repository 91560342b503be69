import { groupBy } from '../../../lib/group-by.ts';
import { count, counted, percent } from '../../../lib/numbers.ts';
import type { Verdict } from '../../../lib/records/vocabulary.ts';
import { verdictWord } from '../../../lib/verdict-words.ts';
import type { LiveChecks } from '../../model/live.ts';
import { CAUSE_COLUMNS } from '../conformance/causes.tsx';
import { Mark } from '../page/mark.tsx';
import { BareTable, Lines } from '../page/parts.tsx';
import { Bar, Figure } from './load.tsx';

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
          <Figure
            value={count(group.reduce((sum, [, number]) => sum + number, 0))}
            words={<Mark verdict={group[0]?.[0] ?? 'not-tested'} />}
          />
        ))}
      </ul>
      {inWork.length > 0 && <h3>In work</h3>}
      <Lines
        class="why"
        lines={inWork.map(({ family, check, sequences }) => [
          `${family}: `,
          <code>{check}</code>,
          sequences && `, ${sequences}`,
        ])}
      />
    </>
  );
}

/** Causes that stay on the page; the report has all. */
const MOST_CAUSES = 20;

/** The causes of the failures so far, the largest first. */
export function CausesSoFar({ causes }: { causes: LiveChecks['causes'] }) {
  if (causes.length === 0) return null;
  return (
    <BareTable
      class="causes"
      caption={`Causes so far: ${count(causes.length)}. A baseline and second tries are taken into account in the report`}
      rows={causes.slice(0, MOST_CAUSES)}
      tone={() => 'bad'}
      columns={[CAUSE_COLUMNS.cause, CAUSE_COLUMNS.families, CAUSE_COLUMNS.results]}
    />
  );
}
