import { groupBy } from '../../../lib/group-by.ts';
import { count } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import type { Conformance, Verdict } from '../../../lib/records/vocabulary.ts';
import { verdictWord } from '../../../lib/verdict-words.ts';
import { Mark } from '../page/mark.tsx';
import { Section, Table } from '../page/parts.tsx';

const UNCLEAR = ['inconclusive', 'blocked', 'error'] as const;
const ORDER: readonly Verdict[] = ['fail', ...UNCLEAR, 'warn', 'pass', 'info', 'not-testable', 'not-applicable'];
/** The verdicts behind each word; what is unclear stands beside what failed. */
export const WORDS = [...groupBy(ORDER, verdictWord)];

interface Row {
  /** Undefined for the row of all families. */
  readonly name?: string;
  readonly verdict?: Conformance;
  readonly counts: Readonly<Record<Verdict, number>>;
}

/** The results by the word for them, in all and of each family; each number leads to its results. */
export function FamilyTable({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { families, counts } = report.conformance;
  const linked = ({ name }: Row, verdicts: readonly Verdict[], words: string) => (
    <a href={`#results=${verdicts.join(' ')}${name === undefined ? '' : `@${name}`}`}>{words}</a>
  );
  const number = (row: Row, verdicts: readonly Verdict[]) => {
    const sum = verdicts.reduce((total, verdict) => total + row.counts[verdict], 0);
    return sum === 0 ? '0' : linked(row, verdicts, count(sum));
  };
  return (
    <Section id="families" title="Results by family">
      <Table
        class="families"
        rows={[{ counts }, ...families] as readonly Row[]}
        columns={[
          ['Family', (row) => linked(row, [], row.name ?? 'all'), 'row'],
          ['Verdict', ({ verdict }) => verdict && <Mark verdict={verdict} />],
          ...WORDS.map(([word, verdicts]) => [word, (row: Row) => number(row, verdicts), 'figures'] as const),
        ]}
      />
    </Section>
  );
}
