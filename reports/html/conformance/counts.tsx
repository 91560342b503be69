import { groupBy } from '../../../lib/group-by.ts';
import { count } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import type { Verdict } from '../../../lib/records/vocabulary.ts';
import { verdictWord } from '../../../lib/verdict-words.ts';
import { Mark } from '../page/mark.tsx';
import { Section } from '../page/parts.tsx';

/** One box for each word, so that a reader adds nothing up: the verdicts behind it are one link. */
function Tile({ verdicts, counts }: { verdicts: readonly Verdict[]; counts: Readonly<Record<Verdict, number>> }) {
  const [first] = verdicts;
  if (first === undefined) return null;
  const number = verdicts.reduce((sum, verdict) => sum + counts[verdict], 0);
  return (
    <li>
      <a href={`#results=${verdicts.join(' ')}`}>
        <b>{count(number)}</b>
        <Mark verdict={first} />
      </a>
    </li>
  );
}

function Cells({ words, part }: { words: string; part: { exercised: number; total: number; untestable: number } }) {
  return (
    <li>
      <a href="#coverage">
        <b>
          {part.exercised} / {part.total}
        </b>
        <small>
          {words} really tested{part.untestable === 0 ? '' : `, ${part.untestable} not testable`}
        </small>
      </a>
    </li>
  );
}

const ORDER: readonly Verdict[] = [
  'fail',
  'inconclusive',
  'blocked',
  'error',
  'warn',
  'pass',
  'info',
  'not-testable',
  'not-applicable',
];

/** The counts, each a link to its results; what is unclear stands beside what failed. */
export function Counts({ report }: { report: Report }) {
  const part = report.conformance;
  if (part === null) return null;
  const { counts, coverage } = part;
  return (
    <Section id="counts" title="Results at a glance">
      <ul class="strip">
        {[...groupBy(ORDER, verdictWord).values()].map((verdicts) => (
          <Tile verdicts={verdicts} counts={counts} />
        ))}
        <Cells words="operations" part={coverage.operations} />
        <Cells words="filters" part={coverage.filterCells} />
        <Cells words="sorts" part={coverage.sortCells} />
      </ul>
    </Section>
  );
}
