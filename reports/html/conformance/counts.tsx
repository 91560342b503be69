import { groupBy } from '../../../lib/group-by.ts';
import { count } from '../../../lib/numbers.ts';
import type { ConformanceReport, Report } from '../../../lib/records/report.ts';
import type { Verdict } from '../../../lib/records/vocabulary.ts';
import { verdictWord } from '../../../lib/verdict-words.ts';
import { Mark } from '../page/mark.tsx';
import { Section, Table } from '../page/parts.tsx';

type Family = ConformanceReport['families'][number];

const sumOf = (verdicts: readonly Verdict[], counts: Readonly<Record<Verdict, number>>): number =>
  verdicts.reduce((sum, verdict) => sum + counts[verdict], 0);

/** One box for each word, so that a reader adds nothing up: the verdicts behind it are one link. */
function Tile({ verdicts, counts }: { verdicts: readonly Verdict[]; counts: Readonly<Record<Verdict, number>> }) {
  const [first] = verdicts;
  if (first === undefined) return null;
  return (
    <li>
      <a href={`#results=${verdicts.join(' ')}`}>
        <b>{count(sumOf(verdicts, counts))}</b>
        <Mark verdict={first} />
      </a>
    </li>
  );
}

function Tested({ words, part }: { words: string; part: { exercised: number; total: number; untestable: number } }) {
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

const UNCLEAR = ['inconclusive', 'blocked', 'error'] as const;
const ORDER: readonly Verdict[] = ['fail', ...UNCLEAR, 'warn', 'pass', 'info', 'not-testable', 'not-applicable'];
/** The verdicts behind each word. */
export const WORDS = [...groupBy(ORDER, verdictWord)];

/** The counts, each a link to its results; what is unclear stands beside what failed. */
export function Counts({ report }: { report: Report }) {
  const part = report.conformance;
  if (part === null) return null;
  const { counts, coverage } = part;
  return (
    <Section id="counts" title="Results at a glance">
      <ul class="strip">
        {WORDS.map(([, verdicts]) => (
          <Tile verdicts={verdicts} counts={counts} />
        ))}
        <Tested words="operations" part={coverage.operations} />
        <Tested words="filters" part={coverage.filterCells} />
        <Tested words="sorts" part={coverage.sortCells} />
      </ul>
    </Section>
  );
}

/** Each family with its verdict, and its results by the word for them. */
export function FamilyTable({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { families } = report.conformance;
  return (
    <Section id="families" title="Families">
      <Table
        class="families"
        rows={families}
        columns={[
          ['Family', ({ name }) => <a href={`#results=@${name}`}>{name}</a>, 'row'],
          ['Verdict', ({ verdict }) => <Mark verdict={verdict} />],
          ...WORDS.map(
            ([word, verdicts]) => [word, ({ counts }: Family) => count(sumOf(verdicts, counts)), 'figures'] as const,
          ),
        ]}
      />
    </Section>
  );
}
