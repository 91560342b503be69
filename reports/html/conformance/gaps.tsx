import { groupBy } from '../../../lib/group-by.ts';
import { testedWords } from '../../../lib/judge/conformance/coverage.ts';
import { notTestable } from '../../../lib/judge/conformance/unproven.ts';
import type { Report } from '../../../lib/records/report.ts';
import { count, some } from '../../../lib/text.ts';
import { missingWords, pairLines, pairShare } from '../../model/pairs.ts';
import { Section, Table } from '../page/parts.tsx';

export function NotTestable({ report }: { report: Report }) {
  const groups = notTestable(report);
  if (groups.length === 0) return null;
  const total = groups.reduce((sum, { results }) => sum + results.length, 0);
  return (
    <Section
      id="not-testable"
      title={`Not testable on this target (${total})`}
      lead="Nothing went wrong here, and none of it fails the run: the target or the mode cannot show it."
    >
      <Table
        rows={groups}
        columns={[
          ['It needs', ({ needs }) => needs, 'row'],
          ['Results', ({ results }) => results.length, 'figures'],
          ['Families', ({ families }) => some(families, 12)],
          ['Checks', ({ checks }) => some(checks, 8)],
          ['Why', ({ reasons }) => some(reasons, 4)],
        ]}
      />
    </Section>
  );
}

export function Coverage({ report }: { report: Report }) {
  if (report.conformance === null) return null;
  const { coverage } = report.conformance;
  const { open } = coverage;
  const groups = groupBy(open, ({ state, kind, family, reason }) => JSON.stringify([state, kind, family, reason]));
  return (
    <Section id="coverage" title="Coverage" lead={`Really tested: ${testedWords(coverage)}.`}>
      {open.length === 0 ? (
        <p>Every operation, filter and sort of the tables was really tested.</p>
      ) : (
        <Table
          caption="Not really tested; those that cannot be tested do not count against the required 95 %"
          rows={[...groups.values()]}
          columns={[
            ['Family', ([first]) => first?.family, 'row'],
            ['Kind', ([first]) => first?.kind],
            ['Cells', (cells) => cells.map(({ cell }) => cell).join(', ')],
            ['State', ([first]) => first?.state],
            ['Reason', ([first]) => first?.reason],
          ]}
        />
      )}
    </Section>
  );
}

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
        isStacked
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
