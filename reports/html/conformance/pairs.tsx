import { count } from '../../../lib/numbers.ts';
import type { Report } from '../../../lib/records/report.ts';
import { missingWords, pairLines, pairShare } from '../../model/pairs.ts';
import { Section, Table } from '../page/parts.tsx';

/** Pairs of conditions that each family was tried under, of those possible here. */
export function Pairs({ report }: { report: Report }) {
  const families = report.conformance?.pairs ?? [];
  if (families.length === 0) return null;
  return (
    <Section
      id="pairs"
      title="Pairs of conditions tried"
      lead={
        <>
          Most mistakes need two conditions at most, such as a renamed record and a sorted list. A pair counts as tried
          if both came about in one sequence of requests, and what the target showed after it was judged. In all,{' '}
          {pairLines(report)}.
        </>
      }
    >
      <Table
        class="pairs"
        rows={families}
        columns={[
          ['Family', ({ family }) => family, 'row'],
          ['Kinds of conditions', ({ factors }) => factors, 'figures'],
          ['Conditions', ({ levels }) => levels, 'figures'],
          ['Pairs possible here', ({ possible }) => count(possible), 'figures'],
          ['Tried', ({ exercised }) => count(exercised), 'figures'],
          ['Share', pairShare, 'figures'],
          ['Not tried, because', ({ missing }) => missingWords(missing, 6)],
        ]}
      />
    </Section>
  );
}
